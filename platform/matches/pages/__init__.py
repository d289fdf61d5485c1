"""Pages and API of matches."""
