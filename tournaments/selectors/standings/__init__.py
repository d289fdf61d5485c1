"""Results, rankings, tie-breaks and ratings of bots, and their results adjusted for luck."""
