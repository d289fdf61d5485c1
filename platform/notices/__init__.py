"""Notices: what happened to a person's bots, matches and tournaments, on the site, by email and on devices."""
