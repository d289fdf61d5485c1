"""Create matches and change their state: the services of this room for other rooms."""

from matches.services.changing import (
    match_cancel,
    match_forfeited_seats_admit,
    match_held_seats_assign,
    match_hold,
    match_publish,
    match_release,
    match_reseat,
    match_restore,
    match_seats_forfeit,
    matches_drop,
    matches_reseed,
)
from matches.services.creating import (
    BLOCKS_MOST,
    MIN_ACTION_MS_MOST,
    SECRET_BYTES,
    MatchTerms,
    PlannedMatch,
    match_create,
    match_create_stopping_check,
    matches_create,
)

__all__ = [
    "BLOCKS_MOST",
    "MIN_ACTION_MS_MOST",
    "SECRET_BYTES",
    "MatchTerms",
    "PlannedMatch",
    "match_cancel",
    "match_create",
    "match_create_stopping_check",
    "match_forfeited_seats_admit",
    "match_held_seats_assign",
    "match_hold",
    "match_publish",
    "match_release",
    "match_reseat",
    "match_restore",
    "match_seats_forfeit",
    "matches_create",
    "matches_drop",
    "matches_reseed",
]
