"""Series of tournaments. Entrants get points in each tournament, and the best results count for one table."""
