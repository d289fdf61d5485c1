"""FIDE's Dutch system, in the current and the previous edition."""
