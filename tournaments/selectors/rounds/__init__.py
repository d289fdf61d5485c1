"""Rounds, tables and brackets, and the facts from which rounds are drawn."""
