"""Pages of series."""
