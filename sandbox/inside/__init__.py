"""What runs behind the wall: the zygote, a bot's cell and its runner. Loaded by path, without the rest of the project."""
