"""Assignments of groups: students hand in bots, which play reference bots and are marked once."""
