"""Shared by Pickomino and its anniversary edition: the dice of a turn, solving a turn, and the value of a board."""
