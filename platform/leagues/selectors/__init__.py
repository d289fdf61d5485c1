"""Selectors that read leagues."""
