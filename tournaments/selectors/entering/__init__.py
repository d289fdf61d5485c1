"""Who may see a tournament, enter and edit it."""
