"""A worker process: it claims matches and checks of uploads, and plays their games in its cage."""
