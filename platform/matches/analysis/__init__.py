"""What was luck in a game and what its decisions cost (see ``luck``): requested, computed by a worker, and stored."""
