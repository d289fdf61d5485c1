"""How bots stand: results, ranks, tie-breaks, ratings, and what luck did to them."""
