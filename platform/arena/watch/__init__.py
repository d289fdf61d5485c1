"""What is worth watching: a playing board, a screenful of small ones, and what comes next."""
