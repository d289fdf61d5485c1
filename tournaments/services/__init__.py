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
from tournaments.services.chaining import chain_settle, results_append, results_publish
from tournaments.services.copying import (
    template_create,
    template_delete,
    template_rename,
    tournament_copy,
    tournament_create_from,
)
from tournaments.services.drafting import StagePlan, tournament_create, tournament_open, tournament_update
from tournaments.services.editing import act_move, tournament_edit
from tournaments.services.entering import (
    InvitationChanged,
    NotByInvitation,
    entries_create,
    entry_create,
    entry_withdraw,
    invitation_make,
    invitation_withdraw,
    outsiders_withdraw,
)
from tournaments.services.forbidden_pairs import group_keep_apart, group_let_meet, pair_keep_apart, pair_let_meet
from tournaments.services.ladder_cups import ladder_cup_create, weekly_cup_create, weekly_cup_end, weekly_cups_tend
from tournaments.services.leaving import FORFEITS_ALLOWED, forfeiters_withdraw
from tournaments.services.lifecycle import (
    tournament_cancel,
    tournament_lock,
    tournament_pause,
    tournament_release,
    tournament_reopen,
    tournament_resume,
    tournament_start,
)
from tournaments.services.luck import nonce_add
from tournaments.services.planning import round_plan_set, round_premiere_set
from tournaments.services.publishing import dataset_licence_set, sources_release, tournament_publish
from tournaments.services.registration import (
    entry_category_set,
    registration_answers_set,
    registration_question_add,
    registration_question_remove,
)
from tournaments.services.round_release import places_swap, round_start
from tournaments.services.rounds import tournament_advance
from tournaments.services.ruling import ruling_make
from tournaments.services.tending import analyses_schedule, begun_announce, tournaments_tend
from tournaments.services.transitions import luck_snapshots_schedule, snapshots_refresh

__all__ = [
    "FORFEITS_ALLOWED",
    "InvitationChanged",
    "NotByInvitation",
    "StagePlan",
    "act_move",
    "analyses_schedule",
    "begun_announce",
    "ceremonies_tend",
    "ceremony_accept",
    "ceremony_advance",
    "ceremony_announce",
    "ceremony_cancel",
    "ceremony_pace_set",
    "ceremony_start",
    "ceremony_tend",
    "chain_settle",
    "dataset_licence_set",
    "entries_create",
    "entry_category_set",
    "entry_create",
    "entry_withdraw",
    "forfeiters_withdraw",
    "group_keep_apart",
    "group_let_meet",
    "invitation_make",
    "invitation_withdraw",
    "ladder_cup_create",
    "luck_snapshots_schedule",
    "nonce_add",
    "outsiders_withdraw",
    "pair_keep_apart",
    "pair_let_meet",
    "places_swap",
    "registration_answers_set",
    "registration_question_add",
    "registration_question_remove",
    "results_append",
    "results_publish",
    "round_plan_set",
    "round_premiere_set",
    "round_start",
    "ruling_make",
    "snapshots_refresh",
    "sources_release",
    "template_create",
    "template_delete",
    "template_rename",
    "tournament_advance",
    "tournament_cancel",
    "tournament_copy",
    "tournament_create",
    "tournament_create_from",
    "tournament_edit",
    "tournament_lock",
    "tournament_open",
    "tournament_pause",
    "tournament_publish",
    "tournament_release",
    "tournament_reopen",
    "tournament_resume",
    "tournament_start",
    "tournament_update",
    "tournaments_tend",
    "weekly_cup_create",
    "weekly_cup_end",
    "weekly_cups_tend",
]
