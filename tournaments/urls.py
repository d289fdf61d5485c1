"""Addresses of this app."""

from django.urls import path, re_path

from tournaments.views import (
    actions,
    apart,
    arbiters,
    brackets,
    drafts,
    estimates,
    luck,
    pages,
    ratings,
    reports,
    rounds,
    rulings,
    ties,
)

app_name = "tournaments"
urlpatterns = [
    path("", pages.tournament_list, name="list"),
    path("new/", drafts.create, name="create"),
    path("new/estimate/", estimates.estimate, name="estimate"),
    path("<slug:slug>/", pages.tournament_detail, name="detail"),
    path("<slug:slug>/live/", pages.tournament_live, name="live"),
    path("<slug:slug>/tie-breaks/", ties.tie_breaks, name="tie-breaks"),
    path("<slug:slug>/tie-breaks/<int:entry_id>/", ties.reckoning, name="reckoning"),
    path("<slug:slug>/rounds/<int:number>/", pages.pairings, name="pairings"),
    path("<slug:slug>/rounds/<int:number>/arrange/", rounds.arrange, name="arrange"),
    path("<slug:slug>/rounds/<int:number>/start/", rounds.start, name="round-start"),
    path("<slug:slug>/apart/", apart.apart, name="apart"),
    path("<slug:slug>/apart/<int:pair_id>/", apart.let_meet, name="let-meet"),
    path("<slug:slug>/arbiters/", arbiters.arbiters, name="arbiters"),
    path("<slug:slug>/arbiters/<int:user_id>/dismiss/", arbiters.dismiss, name="dismiss"),
    path("<slug:slug>/rulings/", rulings.rulings, name="rulings"),
    path("<slug:slug>/rulings/<slug:kind>/", rulings.rule, name="rule"),
    path("<slug:slug>/export/rulings.csv", rulings.export, name="rulings-export"),
    path("<slug:slug>/publication/", rounds.publish, name="publish"),
    path("<slug:slug>/ratings/", ratings.ratings, name="ratings"),
    path("<slug:slug>/ratings/<str:name>", ratings.export, name="ratings-export"),
    path("<slug:slug>/bracket/<int:number>/", brackets.bracket, name="bracket"),
    path("<slug:slug>/export/stage-<int:number>.trf", reports.report, name="report"),
    path("<slug:slug>/export/<str:name>", pages.export, name="export"),
    path("<slug:slug>/edit/", drafts.edit, name="edit"),
    path("<slug:slug>/luck/", luck.add, name="add-luck"),
    path("<slug:slug>/enter/", actions.enter, name="enter"),
    path("<slug:slug>/withdraw/<int:entry_id>/", actions.withdraw, name="withdraw"),
    re_path(rf"^(?P<slug>[-\w]+)/(?P<action>{'|'.join(actions.ACTIONS)})/$", actions.act, name="act"),
]
