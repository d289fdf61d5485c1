"""The queue: choose the match that is played next and its worker, and write the results."""
