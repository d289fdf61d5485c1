"""Everything that can be done on a page can be done over the API. New forms have to be listed here."""

import re
from pathlib import Path
from typing import Final

from hooks.views import ACTS as HOOK_ACTS
from leagues.views.organising import ACTIONS as LEAGUE_ACTIONS
from tests.arena.openapi import description
from tests.arena.test_every_address import NAMES
from tests.arena.test_who_creates_what import CREATING, IN_A_CONTEST, ONES_OWN, ONLY_READ
from tournaments.views.actions import ACTIONS as TOURNAMENT_ACTIONS
from tournaments.views.ceremonies import ACTS as CEREMONY_ACTS

TEMPLATES: Final = Path(__file__).resolve().parents[2]
ONE: Final = "/api/tournaments/{slug}/"
ROUND: Final = f"{ONE}rounds/{{number}}/"
LEAGUE: Final = "/api/leagues/{slug}/"
BOT: Final = "/api/bots/{slug}/"
HOOK: Final = "/api/hooks/{id}/"
GROUP: Final = "/api/groups/{slug}/"
SERIES: Final = "/api/series/{slug}/"
TEMPLATE: Final = "/api/tournaments/new/templates/{template_id}/"
ASSIGNMENT: Final = "/api/assignments/{id}/"
TEAM: Final = "/api/teams/{slug}/"
FOLLOW: Final = "/api/notices/following/{kind}/{slug}/"
# By page, and by what it does where it does several things: the operations that do the same.
OPERATIONS: Final[dict[str, tuple[str, ...]]] = {
    "bots:create": ("post /api/bots/", f"post {BOT}versions/"),
    "bots:upload": (f"post {BOT}versions/",),
    "bots:edit": (f"patch {BOT}",),
    "bots:make-current": (f"post {BOT}versions/{{number}}/make-current/",),
    "bots:delete": (f"delete {BOT}",),
    "bots:version-delete": (f"delete {BOT}versions/{{number}}/",),
    "bots:spar": ("post /api/sparring/",),
    "bots:drill": (f"post {BOT}drill.jsonl",),
    "bots:challenges": (f"post {BOT}challenges/",),
    "bots:challenge-answer": (f"patch {BOT}challenges/{{challenge_id}}/", f"delete {BOT}challenges/{{challenge_id}}/"),
    "bots:spar-stop": ("delete /api/sparring/{id}/",),
    "organisers:ask": ("post /api/organiser-request/",),
    "matches:broadcast": ("put /api/matches/{id}/broadcast/", "delete /api/matches/{id}/broadcast/"),
    "hooks:list": ("post /api/hooks/",),
    "hooks:detail": (f"patch {HOOK}",),
    "hooks:rotate": (f"post {HOOK}rotate/",),
    "hooks:delete": (f"delete {HOOK}",),
    **{f"hooks:act {act}": (f"post {HOOK}{act}/",) for act in HOOK_ACTS},
    "notices:read-all": ("post /api/notices/read-all/",),
    "notices:follow-change": (f"put {FOLLOW}", f"delete {FOLLOW}"),
    "notices:device-remove": ("delete /api/notices/devices/{id}/",),
    "notices:settings": ("patch /api/notices/channels/",),
    "hooks:send-again": (f"post {HOOK}deliveries/{{delivery}}/send-again/",),
    "groups:create": ("post /api/groups/",),
    "groups:edit": (f"patch {GROUP}",),
    "groups:leave": (f"post {GROUP}leave/",),
    "groups:member": (f"patch {GROUP}members/{{username}}/",),
    "groups:remove": (f"delete {GROUP}members/{{username}}/",),
    "groups:roster": (f"post {GROUP}roster/preview/",),
    "groups:roster-apply": (f"post {GROUP}roster/",),
    "groups:row-remove": (f"delete {GROUP}roster/{{row_id}}/",),
    "groups:invitations": (f"post {GROUP}invitations/",),
    "groups:renew": (f"post {GROUP}invitations/{{batch}}/renew/",),
    "groups:revoke": (f"delete {GROUP}invitations/{{batch}}/",),
    "groups:slips": (f"post {GROUP}slips/",),
    "groups:accept": ("post /api/groups/join/",),
    "assignments:create": ("post /api/assignments/",),
    "assignments:edit": (f"patch {ASSIGNMENT}",),
    "assignments:delete": (f"delete {ASSIGNMENT}",),
    "assignments:hand-in": (f"post {ASSIGNMENT}hand-in/", f"delete {ASSIGNMENT}hand-in/"),
    "assignments:marks": (f"post {ASSIGNMENT}marks/decide-all/",),
    "assignments:publish": (f"post {ASSIGNMENT}marks/publish/",),
    "assignments:student": (
        f"post {ASSIGNMENT}extensions/",
        f"post {ASSIGNMENT}marks/{{username}}/renew/",
        f"post {ASSIGNMENT}marks/{{username}}/{{reference_id}}/decide/",
    ),
    "series:create": ("post /api/series/",),
    "series:edit": (f"patch {SERIES}",),
    "series:delete": (f"delete {SERIES}",),
    "series:end": (f"put {SERIES}end/", f"delete {SERIES}end/"),
    "series:add": (f"post {SERIES}events/",),
    "series:remove": (f"delete {SERIES}events/{{tournament}}/",),
    "puzzles:detail": ("post /api/puzzles/{id}/answer/",),
    "teams:create": ("post /api/teams/",),
    "teams:accept": ("post /api/teams/join/",),
    "teams:leave": (f"post {TEAM}leave/",),
    "teams:links": (f"post {TEAM}links/",),
    "teams:revoke": (f"delete {TEAM}links/{{link_id}}/",),
    "teams:remove": (f"delete {TEAM}members/{{username}}/",),
    "teams:captain": (f"post {TEAM}members/{{username}}/captain/",),
    "announcements:create": ("post /api/announcements/{subject}/{slug}/",),
    "announcements:edit": ("patch /api/announcements/{id}/",),
    "announcements:delete": ("delete /api/announcements/{id}/",),
    "announcements:ask": ("post /api/announcements/{subject}/{slug}/questions/",),
    "announcements:answer": ("patch /api/announcements/questions/{question_id}/",),
    "announcements:question-delete": ("delete /api/announcements/questions/{question_id}/",),
    "leagues:create": ("post /api/leagues/",),
    "leagues:edit": (f"patch {LEAGUE}settings/",),
    **{f"leagues:act {act}": (f"post {LEAGUE}{act}/",) for act in LEAGUE_ACTIONS},
    "leagues:join": (f"post {LEAGUE}members/", f"post {LEAGUE}house-bots/"),
    "leagues:dataset": (f"put {LEAGUE}seasons/{{number}}/dataset/",),
    "leagues:dataset-file": tuple(
        f"post {LEAGUE}seasons/{{number}}/export/{one}" for one in ("dataset.zip", "dataset-parquet.zip")
    ),
    "leagues:leave": (f"delete {LEAGUE}members/{{bot}}/",),
    "cups:create": (f"post {LEAGUE}cups/", f"post {LEAGUE}cups/weekly/"),
    "cups:end-weekly": (f"delete {LEAGUE}cups/weekly/",),
    "tournaments:create": ("post /api/tournaments/", f"post {TEMPLATE}tournaments/"),
    "tournaments:template-save": ("post /api/tournaments/new/templates/",),
    "tournaments:template-rename": (f"patch {TEMPLATE}",),
    "tournaments:template-delete": (f"delete {TEMPLATE}",),
    "tournaments:estimate": ("post /api/tournaments/new/estimate/",),
    "tournaments:edit": (f"patch {ONE}settings/",),
    **{f"tournaments:act {act}": (f"post {ONE}{act}/",) for act in TOURNAMENT_ACTIONS},
    "tournaments:copy": (f"post {ONE}copy/",),
    "tournaments:dataset": (f"put {ONE}dataset/",),
    "tournaments:dataset-file": (f"post {ONE}export/dataset.zip", f"post {ONE}export/dataset-parquet.zip"),
    "tournaments:sources-archive": (f"post {ONE}export/sources.zip",),
    "tournaments:publish": (f"put {ONE}publication/",),
    "tournaments:ceremony": (f"put {ONE}ceremony/", f"delete {ONE}ceremony/"),
    **{f"tournaments:ceremony-act {act}": (f"post {ONE}ceremony/{act}/",) for act in CEREMONY_ACTS},
    "tournaments:enter": (f"post {ONE}entries/",),
    "tournaments:registration": (f"post {ONE}registration/",),
    "tournaments:registration-remove": (f"delete {ONE}registration/{{number}}/",),
    "tournaments:entry-category": (f"put {ONE}entries/{{bot}}/category/",),
    "tournaments:answers": (f"put {ONE}entries/{{bot}}/answers/",),
    "tournaments:withdraw": (f"delete {ONE}entries/{{bot}}/",),
    "tournaments:add-luck": (f"post {ONE}luck/",),
    "tournaments:invitation": (f"post {ONE}invitation/",),
    "tournaments:invitation-withdraw": (f"delete {ONE}invitation/",),
    "tournaments:arbiters": (f"post {ONE}arbiters/",),
    "tournaments:dismiss": (f"delete {ONE}arbiters/{{username}}/",),
    "tournaments:apart": (f"post {ONE}forbidden-pairs/", f"post {ONE}kept-groups/"),
    "tournaments:let-meet": (f"delete {ONE}forbidden-pairs/{{id}}/",),
    "tournaments:let-group-meet": (f"delete {ONE}kept-groups/{{id}}/",),
    "tournaments:plan-act": (f"patch {ONE}timeline/",),
    "tournaments:plan-round": (f"put {ONE}plan/{{stage_number}}/{{place}}/",),
    "tournaments:arrange": (f"post {ROUND}swap/",),
    "tournaments:round-start": (f"post {ROUND}start/",),
    "tournaments:premiere": (f"put {ROUND}premiere/", f"delete {ROUND}premiere/"),
    "tournaments:rule": (f"post {ONE}rulings/preview/", f"post {ONE}rulings/"),
}
REASONS: Final = {
    "accounts:tokens": "a token that makes tokens would outlive its own end",
    "accounts:token-revoke": "a finder of a token could revoke those of its owner",
    "accounts:export": "changes nothing: the API has it under GET /api/me/export/",
    "accounts:delete": "asks for the password, which programs are not given",
    "notices:device-add": "a browser subscribes; programs have webhooks",
    "notices:unsubscribe": "the link of an email; the API has patch /api/notices/channels/",
    "set_language": "a choice of the browser; programs send Accept-Language",
    "theme": "a choice of the browser",
    "groups:join": "shows what a code opens; the API joins in one step",
    "matches:results": "a choice of the browser: whether results are covered",
    # Pages that are also the answer to what was refused there, and so read a POST like a GET.
    **dict.fromkeys(
        ("leagues:detail", "tournaments:detail", "tournaments:list", "tournaments:live"),
        "does nothing",
    ),
}
FORM: Final = re.compile(r"""<form\b(?=[^>]*method="post")[^>]*?action="{%\s*url\s+'([\w:-]+)'""", re.DOTALL)


def pages_that_take_a_post() -> set[str]:
    """By the tables, of which a test of theirs sees that they are whole."""
    listed = [operation.split()[0] for operation in CREATING] + f"{IN_A_CONTEST} {ONES_OWN} {ONLY_READ}".split()
    return {name for name in listed if not name.startswith("api")}


def test_each_form_of_a_page_has_its_operation_or_a_reason() -> None:
    names = {key.split()[0] for key in OPERATIONS}
    assert not names & set(REASONS)
    assert pages_that_take_a_post() == names | set(REASONS)


def test_each_operation_is_there_and_is_a_write() -> None:
    paths = description()["paths"]
    there = {f"{method} {path}" for path, methods in paths.items() for method in methods if method != "get"}
    assert {one for operations in OPERATIONS.values() for one in operations} - there == set()


def test_each_button_of_a_page_with_several_is_named() -> None:
    for page, acts in (
        ("hooks:act", HOOK_ACTS),
        ("leagues:act", LEAGUE_ACTIONS),
        ("tournaments:act", TOURNAMENT_ACTIONS),
        ("tournaments:ceremony-act", CEREMONY_ACTS),
    ):
        assert {key.split()[1] for key in OPERATIONS if key.startswith(f"{page} ")} == set(acts)


def test_no_template_posts_to_an_address_that_is_not_listed() -> None:
    found: dict[str, str] = {}
    for path in TEMPLATES.glob("templates/**/*.html"):
        found |= dict.fromkeys(FORM.findall(path.read_text()), path.name)
    assert len(found) > 20
    theirs = ("account_", "mfa_", "socialaccount_", "openid_connect_", "admin:")
    ours = {name: where for name, where in found.items() if not name.startswith(theirs)}
    assert set(ours) <= pages_that_take_a_post() | {"playground-save"}, ours
    assert set(ours) <= set(NAMES)
