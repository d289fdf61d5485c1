"""The services that write tournaments."""

from tournaments.services.ceremonies import (
    ceremonies_tend,
    ceremony_accept,
    ceremony_advance,
    ceremony_announce,
    ceremony_cancel,
    ceremony_pace_set,
    ceremony_start,
    ceremony_tend,
)
from tournaments.services.chaining import chain_results_append, chain_results_publish, chain_settle
from tournaments.services.copying import (
    tournament_copy,
    tournament_create_from,
    tournament_template_create,
    tournament_template_delete,
    tournament_template_rename,
)
from tournaments.services.drafting import StagePlan, tournament_create, tournament_open, tournament_update
from tournaments.services.editing import timeline_act_move, tournament_edit
from tournaments.services.entering import (
    InvitationChanged,
    NotByInvitation,
    entries_create,
    entries_withdraw_outsiders,
    entry_create,
    entry_withdraw,
    tournament_invitation_make,
    tournament_invitation_withdraw,
)
from tournaments.services.forbidden_pairs import (
    forbidden_group_create,
    forbidden_group_remove,
    forbidden_pair_create,
    forbidden_pair_remove,
)
from tournaments.services.ladder_cups import ladder_cup_create, weekly_cup_create, weekly_cup_end, weekly_cups_tend
from tournaments.services.leaving import FORFEITS_ALLOWED, entries_withdraw_forfeiters
from tournaments.services.lifecycle import (
    tournament_cancel,
    tournament_lock,
    tournament_pause,
    tournament_release,
    tournament_reopen,
    tournament_resume,
    tournament_start,
)
from tournaments.services.luck import luck_nonce_add
from tournaments.services.planning import round_plan_set, round_premiere_set
from tournaments.services.publishing import (
    tournament_dataset_licence_set,
    tournament_publish,
    tournament_sources_release,
)
from tournaments.services.registration import (
    entry_category_set,
    registration_answers_set,
    registration_question_add,
    registration_question_remove,
)
from tournaments.services.round_release import round_places_swap, round_start
from tournaments.services.rounds import tournament_advance
from tournaments.services.ruling import ruling_make
from tournaments.services.sweep import (
    tournament_analyses_schedule,
    tournament_matches_begun_announce,
    tournaments_tend,
)
from tournaments.services.transitions import tournament_luck_snapshots_schedule, tournament_snapshots_refresh

__all__ = [
    "FORFEITS_ALLOWED",
    "InvitationChanged",
    "NotByInvitation",
    "StagePlan",
    "ceremonies_tend",
    "ceremony_accept",
    "ceremony_advance",
    "ceremony_announce",
    "ceremony_cancel",
    "ceremony_pace_set",
    "ceremony_start",
    "ceremony_tend",
    "chain_results_append",
    "chain_results_publish",
    "chain_settle",
    "entries_create",
    "entries_withdraw_forfeiters",
    "entries_withdraw_outsiders",
    "entry_category_set",
    "entry_create",
    "entry_withdraw",
    "forbidden_group_create",
    "forbidden_group_remove",
    "forbidden_pair_create",
    "forbidden_pair_remove",
    "ladder_cup_create",
    "luck_nonce_add",
    "registration_answers_set",
    "registration_question_add",
    "registration_question_remove",
    "round_places_swap",
    "round_plan_set",
    "round_premiere_set",
    "round_start",
    "ruling_make",
    "timeline_act_move",
    "tournament_advance",
    "tournament_analyses_schedule",
    "tournament_cancel",
    "tournament_copy",
    "tournament_create",
    "tournament_create_from",
    "tournament_dataset_licence_set",
    "tournament_edit",
    "tournament_invitation_make",
    "tournament_invitation_withdraw",
    "tournament_lock",
    "tournament_luck_snapshots_schedule",
    "tournament_matches_begun_announce",
    "tournament_open",
    "tournament_pause",
    "tournament_publish",
    "tournament_release",
    "tournament_reopen",
    "tournament_resume",
    "tournament_snapshots_refresh",
    "tournament_sources_release",
    "tournament_start",
    "tournament_template_create",
    "tournament_template_delete",
    "tournament_template_rename",
    "tournament_update",
    "tournaments_tend",
    "weekly_cup_create",
    "weekly_cup_end",
    "weekly_cups_tend",
]
