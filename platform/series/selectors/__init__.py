"""Read series: which ones a user may see, their tournaments, and the table."""
