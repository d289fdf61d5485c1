"""What runs bots on an author's own machine: a process for each, the site's limits and verdicts, no cage.

It shares the making and asking of a bot with the cage (``sandbox.inside.entry``), so that a game at home is the game
that the site plays. Standard library only, on every system: what it starts is trusted as any other program is.
"""
