"""The games of the check of an upload: its author watches them in the replay player."""
