"""Results of bots, rankings, tie-breaks, ratings, and results adjusted for luck."""
