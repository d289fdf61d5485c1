"""The selectors that read tournaments."""
