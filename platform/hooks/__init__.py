"""Webhooks: a person's own servers are told what happens to their bots, matches and tournaments."""
