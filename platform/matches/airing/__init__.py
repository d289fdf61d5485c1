"""Broadcasts: a match that has been played is shown to everyone at the same pace. Its result is sealed until the end.

The server determines the start of a broadcast, T0, and the duration of each beat, so what is on air depends only on
the time since T0. No process has to run for a broadcast: after a restart, everything is in the database.
"""
