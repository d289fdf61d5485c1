"""Pages of assignments, below those of their group."""
