"""A worker process: it claims matches and checks of uploads, and plays them in its cage."""
