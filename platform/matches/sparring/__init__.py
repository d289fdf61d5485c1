"""Sparring: private matches between versions of one's own bots, or with a house bot. They are never rated or listed."""
