"""Check the proof of a tournament: replay the chain that the site has appended, and compare all results.

``matches.proof.chain`` defines links, and ``matches.proof.archive`` the zip file of a proof. ``replay`` computes the
state from the links, and ``verify`` combines them for ``peck verify``. This package is without Django. Both the site
and the replay use ``tournaments.facts`` to draw, count and rank.
"""
