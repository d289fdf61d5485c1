"""Rulings that were made, and the consequences of a proposed ruling."""
