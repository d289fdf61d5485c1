"""Broadcasts: a match that has been played is shown to everyone at the same pace, its result sealed until the end.

The server fixes when a broadcast begins, T0, and how long each beat lasts; what is on air is a function of the time
since T0. Nothing has to be running for it: a server that was killed finds everything in the database.
"""
