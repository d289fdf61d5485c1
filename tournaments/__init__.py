"""Tournaments: entries, pairings and standings over matches."""
