"""The chain of a tournament and the proof that holds it: what the site appends, and how anyone replays it.

``chain`` says what a link is, ``replay`` what follows from the links, ``archive`` what a proof's zip holds, ``verify``
puts them together for ``peck verify``. No Django: the site draws, counts and places by ``tournaments.facts``, and so
does the replay.
"""
