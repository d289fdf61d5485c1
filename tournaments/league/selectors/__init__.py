"""Everything that reads leagues."""
