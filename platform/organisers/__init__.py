"""Who may create tournaments and leagues: asked for by a person, granted by staff, and kept in a log."""
