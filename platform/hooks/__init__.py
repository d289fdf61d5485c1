"""Webhooks: messages to a person's own servers about their bots, matches and tournaments."""
