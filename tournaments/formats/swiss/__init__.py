"""Swiss: in each round, bots with similar points meet."""
