"""The public API for packages of games, on a site and in an author's kit: start with ``pecking.game``."""
