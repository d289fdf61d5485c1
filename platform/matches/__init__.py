"""Matches: series of games between bot versions, played on workers, stored as records, streamed to spectators."""
