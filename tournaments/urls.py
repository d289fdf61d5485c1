"""Addresses of this app."""

from django.urls import path, re_path

from tournaments.views import (
    actions,
    boards,
    brackets,
    ceremonies,
    certificates,
    drafts,
    exports,
    forbidden_pairs,
    invitations,
    ladder_cups,
    luck,
    pages,
    ratings,
    registration,
    rounds,
    rulings,
    sharing,
    sources,
    templates,
)
from tournaments.views.actions import tournament_arbiter_remove_view, tournament_arbiters_view, tournament_publish_view
from tournaments.views.honours import honours_feed_view, honours_view
from tournaments.views.registration import entry_withdraw_view, tournament_enter_view
from tournaments.views.templates import tournament_copy_view

app_name = "tournaments"
urlpatterns = [
    path("", pages.tournament_list_view, name="list"),
    path("new/", drafts.tournament_create_view, name="create"),
    path("new/estimate/", drafts.tournament_draft_estimate_view, name="estimate"),
    path("new/templates/", templates.tournament_template_list_view, name="templates"),
    path("new/templates/<int:template_id>/", templates.tournament_template_rename_view, name="template-rename"),
    path("new/templates/<int:template_id>/delete/", templates.tournament_template_delete_view, name="template-delete"),
    path("<slug:slug>/", pages.tournament_detail_view, name="detail"),
    path("<slug:slug>/live/", pages.tournament_live_view, name="live"),
    path("<slug:slug>/screen/", sharing.tournament_sharing_screen_view, name="screen"),
    path("<slug:slug>/embed/<slug:part>/", sharing.tournament_embed_view, name="embed"),
    path("<slug:slug>/feed/", sharing.tournament_feed_view, name="feed"),
    path("<slug:slug>/preview.png", sharing.tournament_preview_picture_view, name="preview"),
    path("<slug:slug>/tie-breaks/", ratings.tournament_tie_breaks_view, name="tie-breaks"),
    path("<slug:slug>/tie-breaks/<int:entry_id>/", ratings.tie_break_calculation_view, name="calculation"),
    path("<slug:slug>/rounds/<int:number>/", boards.round_pairings_view, name="pairings"),
    path("<slug:slug>/rounds/<int:number>/boards/", boards.round_boards_view, name="boards"),
    path("<slug:slug>/rounds/<int:number>/boards/cells/", boards.round_boards_cells_view, name="boards-cells"),
    path("<slug:slug>/rounds/<int:number>/arrange/", rounds.round_arrange_view, name="arrange"),
    path("<slug:slug>/rounds/<int:number>/start/", rounds.round_start_view, name="round-start"),
    path("<slug:slug>/rounds/<int:number>/premiere/", rounds.round_premiere_view, name="premiere"),
    path("<slug:slug>/ceremony/", ceremonies.tournament_ceremony_view, name="ceremony"),
    path("<slug:slug>/ceremony/live/", ceremonies.tournament_ceremony_live_view, name="ceremony-live"),
    re_path(
        rf"^(?P<slug>[-\w]+)/ceremony/(?P<act>{'|'.join(ceremonies.ACTS)})/$",
        ceremonies.tournament_ceremony_act_view,
        name="ceremony-act",
    ),
    path("<slug:slug>/certificates/", certificates.tournament_certificates_view, name="certificates"),
    path("<slug:slug>/certificates/<int:entry_id>/", certificates.tournament_certificate_view, name="certificate"),
    path("<slug:slug>/dataset/", exports.tournament_dataset_view, name="dataset"),
    path("<slug:slug>/dataset/<str:name>", exports.tournament_dataset_download_view, name="dataset-file"),
    path("<slug:slug>/sources/", sources.tournament_sources_view, name="sources"),
    path("<slug:slug>/sources/all.zip", sources.tournament_sources_archive_view, name="sources-archive"),
    path("<slug:slug>/sources/<int:entry_id>/", sources.tournament_source_view, name="source"),
    path("<slug:slug>/sources/<int:entry_id>/file/", sources.tournament_source_download_view, name="source-file"),
    path("<slug:slug>/plan/", rounds.tournament_schedule_view, name="plan"),
    path("<slug:slug>/plan/act/<slug:act>/", rounds.tournament_schedule_act_view, name="plan-act"),
    path("<slug:slug>/plan/<int:stage_number>/<int:place>/", rounds.tournament_schedule_round_view, name="plan-round"),
    path("<slug:slug>/apart/", forbidden_pairs.tournament_forbidden_pairs_view, name="apart"),
    path(
        "<slug:slug>/apart/<int:pk>/",
        actions.tournament_act_view,
        {"action": "let-meet", "then": "tournaments:apart"},
        "let-meet",
    ),
    path(
        "<slug:slug>/apart/groups/<int:pk>/",
        actions.tournament_act_view,
        {"action": "let-group-meet", "then": "tournaments:apart"},
        "let-group-meet",
    ),
    path("<slug:slug>/copy/", tournament_copy_view, name="copy"),
    path("<slug:slug>/template/", templates.tournament_template_save_view, name="template-save"),
    path("<slug:slug>/arbiters/", tournament_arbiters_view, name="arbiters"),
    path("<slug:slug>/arbiters/<int:user_id>/dismiss/", tournament_arbiter_remove_view, name="dismiss"),
    path("<slug:slug>/rulings/", rulings.tournament_rulings_view, name="rulings"),
    path("<slug:slug>/rulings/<slug:kind>/", rulings.tournament_rule_view, name="rule"),
    path("<slug:slug>/export/rulings.csv", rulings.tournament_rulings_file_view, name="rulings-export"),
    path("<slug:slug>/publication/", tournament_publish_view, name="publish"),
    path("<slug:slug>/ratings/", ratings.tournament_ratings_view, name="ratings"),
    path("<slug:slug>/ratings/<str:name>", ratings.tournament_ratings_file_view, name="ratings-export"),
    path("<slug:slug>/bracket/<int:number>/", brackets.tournament_bracket_view, name="bracket"),
    path("<slug:slug>/export/stage-<int:number>.trf", exports.tournament_report_view, name="report"),
    path("<slug:slug>/export/<str:name>", exports.tournament_export_view, name="export"),
    path("<slug:slug>/edit/", drafts.tournament_edit_view, name="edit"),
    path("<slug:slug>/invitation/", invitations.tournament_invitation_view, name="invitation"),
    path(
        "<slug:slug>/invitation/withdraw/", invitations.tournament_invitation_withdraw_view, name="invitation-withdraw"
    ),
    path("<slug:slug>/invited/<str:token>/", invitations.tournament_invitation_open_view, name="invited"),
    path("<slug:slug>/registration/", registration.tournament_registration_view, name="registration"),
    path("<slug:slug>/registration/answers.csv", registration.registration_answers_file_view, name="answers-export"),
    path(
        "<slug:slug>/registration/<int:number>/remove/",
        registration.registration_question_remove_view,
        name="registration-remove",
    ),
    path("<slug:slug>/registration/category/<int:entry_id>/", registration.entry_category_view, name="entry-category"),
    path("<slug:slug>/answers/<int:entry_id>/", registration.registration_answers_view, name="answers"),
    path("<slug:slug>/fairness/", luck.tournament_luck_view, name="fairness"),
    path("<slug:slug>/luck/", luck.tournament_luck_nonce_add_view, name="add-luck"),
    path("<slug:slug>/enter/", tournament_enter_view, name="enter"),
    path("<slug:slug>/withdraw/<int:entry_id>/", entry_withdraw_view, name="withdraw"),
    re_path(rf"^(?P<slug>[-\w]+)/(?P<action>{'|'.join(actions.ACTIONS)})/$", actions.tournament_act_view, name="act"),
]


honours_urlpatterns = [
    path("", honours_view, name="list"),
    path("feed/", honours_feed_view, name="feed"),
]


cup_urlpatterns = [
    path("", ladder_cups.ladder_cup_list_view, name="list"),
    path("new/", ladder_cups.ladder_cup_create_view, name="create"),
    path("weekly/end/", ladder_cups.weekly_cup_end_view, name="end-weekly"),
]
