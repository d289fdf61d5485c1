"""The code that runs behind the wall: the zygote, a bot's cell, its runner. It is loaded by path, without the rest of
the project.
"""
