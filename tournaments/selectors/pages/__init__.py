"""The data for the pages and exported files of a tournament."""
