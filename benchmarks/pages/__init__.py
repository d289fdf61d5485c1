"""What every page and list of the API costs on a grown site: see ``__main__``."""
