"""FIDE's Dutch system, of the edition in force and of the one before it."""
