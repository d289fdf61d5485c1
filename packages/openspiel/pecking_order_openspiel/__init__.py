"""Games of OpenSpiel (https://github.com/google-deepmind/open_spiel) as games of Pecking Order: see ``bridge``."""
