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
from tournaments.services.copying import (
    tournament_copy,
    tournament_create_from,
    tournament_template_create,
    tournament_template_delete,
    tournament_template_rename,
)
from tournaments.services.drafting import StagePlan, tournament_create, tournament_draft_update
from tournaments.services.editing import tournament_edit, tournament_timeline_edit
from tournaments.services.entering import entries_create, entry_create
from tournaments.services.forbidden_pairs import (
    forbidden_group_create,
    forbidden_group_remove,
    forbidden_pair_create,
    forbidden_pair_remove,
)
from tournaments.services.invitations import (
    InvitationChanged,
    NotByInvitation,
    tournament_invitation_make,
    tournament_invitation_withdraw,
)
from tournaments.services.ladder_cups import ladder_cup_create, weekly_cup_create, weekly_cup_end, weekly_cups_tend
from tournaments.services.leaving import (
    FORFEITS_ALLOWED,
    entries_withdraw_forfeiters,
    entries_withdraw_outsiders,
    entry_withdraw,
)
from tournaments.services.lifecycle import (
    tournament_cancel,
    tournament_lock,
    tournament_open,
    tournament_pause,
    tournament_release,
    tournament_reopen,
    tournament_resume,
    tournament_start,
)
from tournaments.services.luck import luck_nonce_add, tournament_luck_analyses_schedule
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
from tournaments.services.round_planning import round_plan_premiere_set, round_plan_set
from tournaments.services.rounds import tournament_advance
from tournaments.services.ruling import ruling_make
from tournaments.services.sweep import sweep_matches_begun_announce, tournaments_tend
from tournaments.services.tournament_chain import (
    tournament_chain_results_append,
    tournament_chain_results_publish,
    tournament_chain_settle,
)
from tournaments.services.transitions import tournament_luck_snapshots_schedule, tournament_snapshots_refresh
from tournaments.services.waiting_rounds import waiting_round_places_swap, waiting_round_start

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
    "round_plan_premiere_set",
    "round_plan_set",
    "ruling_make",
    "sweep_matches_begun_announce",
    "tournament_advance",
    "tournament_cancel",
    "tournament_chain_results_append",
    "tournament_chain_results_publish",
    "tournament_chain_settle",
    "tournament_copy",
    "tournament_create",
    "tournament_create_from",
    "tournament_dataset_licence_set",
    "tournament_draft_update",
    "tournament_edit",
    "tournament_invitation_make",
    "tournament_invitation_withdraw",
    "tournament_lock",
    "tournament_luck_analyses_schedule",
    "tournament_luck_snapshots_schedule",
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
    "tournament_timeline_edit",
    "tournaments_tend",
    "waiting_round_places_swap",
    "waiting_round_start",
    "weekly_cup_create",
    "weekly_cup_end",
    "weekly_cups_tend",
]
