"""What was luck in a game and what its decisions cost (see ``luck``): asked for, made by a worker, and kept."""
