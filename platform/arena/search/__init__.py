"""One box for everything that has a name."""
