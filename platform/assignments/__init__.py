"""Assignments of a group: bots are handed in, play reference bots and are marked once."""
