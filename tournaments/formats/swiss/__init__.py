"""Swiss: each round brings together bots that stand level."""
