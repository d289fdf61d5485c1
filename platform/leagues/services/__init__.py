"""Change leagues: the services of this room for other rooms."""

from leagues.services.digests import league_digest_send, league_digests_send
from leagues.services.entries import season_entries_bench, season_entries_sync
from leagues.services.joining import league_bot_join, league_bot_leave, league_bots_join, league_outsiders_leave
from leagues.services.ladders import season_check, season_luck_adjusted_refit, season_refit, season_shares_refresh
from leagues.services.leagues import (
    league_create,
    league_edit,
    league_pause,
    league_resume,
    league_update,
    season_dataset_licence_set,
)
from leagues.services.lifecycle import (
    league_close,
    league_open,
    leagues_check,
    leagues_luck_adjusted_refit,
    leagues_refit,
    leagues_tend,
    season_end,
    season_start,
)
from leagues.services.scheduling import season_schedule

__all__ = [
    "league_bot_join",
    "league_bot_leave",
    "league_bots_join",
    "league_close",
    "league_create",
    "league_digest_send",
    "league_digests_send",
    "league_edit",
    "league_open",
    "league_outsiders_leave",
    "league_pause",
    "league_resume",
    "league_update",
    "leagues_check",
    "leagues_luck_adjusted_refit",
    "leagues_refit",
    "leagues_tend",
    "season_check",
    "season_dataset_licence_set",
    "season_end",
    "season_entries_bench",
    "season_entries_sync",
    "season_luck_adjusted_refit",
    "season_refit",
    "season_schedule",
    "season_shares_refresh",
    "season_start",
]
