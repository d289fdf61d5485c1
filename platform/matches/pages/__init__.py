"""Pages and API of matches, for spectators and authors."""
