"""What Pickomino and its anniversary edition share: the dice of a turn, solving it, and the value of a board."""
