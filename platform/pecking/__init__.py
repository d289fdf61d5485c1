"""What the package of a game imports, on a site and in an author's kit: ``pecking.game``."""
