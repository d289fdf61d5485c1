"""Create matches and change their state. These are the functions for other rooms."""

from matches.services.changing import (
    match_cancel,
    match_hold,
    match_publish,
    match_release,
    match_reseat,
    match_restore,
    matches_drop,
    matches_reseed,
    seats_admit,
    seats_assign,
    seats_bar,
)
from matches.services.creating import (
    BLOCKS_MOST,
    MIN_ACTION_MS_MOST,
    SECRET_BYTES,
    MatchTerms,
    PlannedMatch,
    match_create,
    matches_create,
    stopping_check,
)

__all__ = [
    "BLOCKS_MOST",
    "MIN_ACTION_MS_MOST",
    "SECRET_BYTES",
    "MatchTerms",
    "PlannedMatch",
    "match_cancel",
    "match_create",
    "match_hold",
    "match_publish",
    "match_release",
    "match_reseat",
    "match_restore",
    "matches_create",
    "matches_drop",
    "matches_reseed",
    "seats_admit",
    "seats_assign",
    "seats_bar",
    "stopping_check",
]
