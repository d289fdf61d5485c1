"""Measure the cost of every page and every list of the API on a large site; see ``__main__``."""
