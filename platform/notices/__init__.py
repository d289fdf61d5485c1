"""Notices: what happened to a person's bots, matches and tournaments, on the site and by e-mail."""
