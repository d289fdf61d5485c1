"""What pages and the API read about series."""
