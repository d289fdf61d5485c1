"""Series of tournaments: points for places in each event, the best few count, one table over all of them."""
