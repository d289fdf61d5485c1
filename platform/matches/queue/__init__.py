"""The queue: which match is played next, by which worker, and what is written when it has been played."""
