"""What runs behind the wall: the zygote, a bot's cell, its runner. Loaded by path, without the rest of the project."""
