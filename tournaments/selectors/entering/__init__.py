"""Permissions to see, enter and edit a tournament, and the data that belongs to entries."""
