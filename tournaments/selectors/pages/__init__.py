"""What the pages and files of a tournament show."""
