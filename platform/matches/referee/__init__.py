"""The referee: plays the games of a match from plain values and judges the bots, without Django.

Rules say what is legal; the referee decides what follows. A bot's fault is a typed verdict: a house bot plays the seat
on for the rest of that game, the others notice nothing, and the seat shares the last place. Too many faults forfeit the
match. Anything else that goes wrong is the platform's fault: it is raised, and the whole attempt is void.
"""

from matches.referee.blame import SeatFault
from matches.referee.chair import Cage
from matches.referee.course import Conclusion, Course, concluded
from matches.referee.forfeits import FAULT_POLICY, FaultPolicy
from matches.referee.played import PlayedGame
from matches.referee.scoring import SeatTotal, seat_totals
from matches.referee.series import Order, Watch, games_played
from matches.referee.stopping import Ending, Sequential, StoppingError, rule_of

__all__ = [
    "FAULT_POLICY",
    "Cage",
    "Conclusion",
    "Course",
    "Ending",
    "FaultPolicy",
    "Order",
    "PlayedGame",
    "SeatFault",
    "SeatTotal",
    "Sequential",
    "StoppingError",
    "Watch",
    "concluded",
    "games_played",
    "rule_of",
    "seat_totals",
]
