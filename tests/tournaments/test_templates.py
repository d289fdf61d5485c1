"""Templates: what they keep, when a tournament that starts from one is, and who may use them."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contests.permissions import NotAnOrganiser
from groups.models import Group, GroupRole
from groups.services import group_member_leave
from matches.models import Broadcast
from tests.announcements.test_api import send
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.tournaments.factories import TournamentFactory
from tournaments.errors import TemplateRefused
from tournaments.models import RegistrationKind, Tournament, TournamentTemplate
from tournaments.selectors.entering.registration import registration_questions_open
from tournaments.selectors.entering.visible import tournament_templates_visible
from tournaments.services import (
    registration_question_add,
    tournament_template_create,
    tournament_template_delete,
    tournament_template_rename,
)
from tournaments.services.copying import TEMPLATES_MOST
from tournaments.template_settings import template_settings_save

pytestmark = pytest.mark.django_db
NEW = "/tournaments/new/"
COPIED = (
    *("description", "ruleset", "options", "limits", "tie_breaks", "tempo", "entrants_most", "entries_per_author"),
    *("keep_apart", "admission", "publication", "has_round_review", "time_zone", "round_minutes", "new_versions"),
    *("team_size", "releases_sources"),
)
ZURICH = ZoneInfo("Europe/Zurich")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def clock(days: int, hour: int, minute: int = 0) -> datetime:
    """So many days from today, at this hour of Zurich."""
    day = timezone.now().astimezone(ZURICH) + timedelta(days=days)
    return day.replace(hour=hour, minute=minute, second=0, microsecond=0, fold=0)


def friday_cup(organiser: Any, **fields: Any) -> Tournament:
    """A Swiss with everything that a template keeps."""
    cup = TournamentFactory(
        organiser=organiser,
        name="Friday cup",
        format="swiss",
        rounds=5,
        blocks=4,
        **{
            "time_zone": "Europe/Zurich",
            "first_round_at": clock(3, 19),
            "entries_close_at": clock(3, 18, 30),
            "round_minutes": 30,
            "entrants_most": 16,
            "team_size": 3,
            "keep_apart": "author",
            "publication": "hidden",
            "new_versions": "between_rounds",
            "description": "Hall 3",
            **fields,
        },
    )
    Tournament.objects.filter(pk=cup.pk).update(tie_breaks=["buchholz", "lot"])
    cup.refresh_from_db()
    registration_question_add(tournament=cup, kind=RegistrationKind.TEXT, text="Which class?")
    registration_question_add(
        tournament=cup, kind=RegistrationKind.CATEGORY, text="Category", choices=["Beginners", "Others"]
    )
    cup.plans.create(stage=1, place=3, starts_at=clock(4, 9), premieres_at=clock(4, 12), tempo=Broadcast.STORY)
    cup.refresh_from_db()
    return cup


def shown_of(response: Any) -> dict[str, Any]:
    """What a browser would send of the form of this page."""
    form = response.context["form"]
    values = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in values.items() if value is not None and value is not False}
    return sent | {"start": response.context["start_code"]}


def group_of(person: Any) -> Group:
    group: Group = GroupFactory(created_by=person)
    return group


def assert_like(made: Tournament, cup: Tournament) -> None:
    made.refresh_from_db()
    assert {name: getattr(made, name) for name in COPIED if name != "options"} == {
        name: getattr(cup, name) for name in COPIED if name != "options"
    }
    for field in ("format", "rounds", "players_per_table", "blocks", "stopping"):
        assert getattr(made.stages.get(), field) == getattr(cup.stages.get(), field)
    assert [one.stored for one in registration_questions_open(made)] == [
        one.stored for one in registration_questions_open(cup)
    ]


def test_a_tournament_that_starts_from_a_template_has_all_that_was_saved_a_week_later() -> None:
    organiser = OrganiserFactory()
    cup, client = friday_cup(organiser), signed_in(organiser)
    saved = client.post(reverse("tournaments:template-save", args=[cup.slug]), {"name": "Fridays", "group": ""})
    assert saved.status_code == 302
    template = TournamentTemplate.objects.get()
    Tournament.objects.filter(pk=cup.pk).update(description="Hall 4", registration=[])
    page = client.get(NEW, {"template": template.pk})
    assert page.context["form"]["name"].value() == ""
    assert "2 questions at registration" in page.content.decode()
    assert "1 planned round" in page.content.decode()
    made = client.post(NEW, shown_of(page) | {"name": "Friday cup 2"})
    assert made.status_code == 302
    again = Tournament.objects.get(name="Friday cup 2")
    assert (again.state, again.organiser) == ("draft", organiser)
    assert (again.first_round_at, again.entries_close_at) == (clock(10, 19), clock(10, 18, 30))
    assert_like(again, cup)
    plan = again.plans.get()
    assert (plan.place, plan.starts_at, plan.premieres_at) == (3, clock(11, 9), clock(11, 12))


def test_its_times_follow_the_first_round_that_was_typed_before_or_after_it_was_chosen() -> None:
    organiser = OrganiserFactory()
    template = template_settings_save(tournament=friday_cup(organiser), by=organiser, name="Fridays", group=None)
    client = signed_in(organiser)
    typed = {"name": "Sunday cup", "first_round_at": f"{clock(20, 10):%Y-%m-%dT%H:%M}", "time_zone": "Europe/Zurich"}
    page = client.post(NEW, typed | {"use": "1", "from": f"template:{template.pk}"})
    form = page.context["form"]
    assert (form["name"].value(), form["entries_close_at"].value()) == (
        "Sunday cup",
        f"{clock(20, 9, 30):%Y-%m-%dT%H:%M}",
    )
    later = shown_of(page) | {"first_round_at": f"{clock(21, 10):%Y-%m-%dT%H:%M}"}
    assert client.post(NEW, later).status_code == 302
    made = Tournament.objects.get(name="Sunday cup")
    assert (made.first_round_at, made.entries_close_at) == (clock(21, 10), clock(20, 9, 30))
    assert made.plans.get().starts_at == clock(22, 0)  # fourteen hours after the first round, as saved


def test_times_of_rounds_alone_are_moved_until_they_are_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    organiser = OrganiserFactory()
    cup = TournamentFactory(organiser=organiser, format="swiss", rounds=5, time_zone="Europe/Zurich")
    Tournament.objects.filter(pk=cup.pk).update(first_round_at=None, entries_close_at=None)
    cup.plans.create(stage=1, place=2, starts_at=clock(1, 9))
    cup.refresh_from_db()
    template = template_settings_save(tournament=cup, by=organiser, name="Fridays", group=None)
    due, later = clock(36, 9), timezone.now() + timedelta(days=30)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    sent = send(organiser, "post", reverse("api-tournaments:from-template", args=[template.pk]), {"name": "Again"})
    assert sent.status_code == 201, sent.content
    assert Tournament.objects.get(name="Again").plans.get().starts_at == due


def test_a_template_deleted_before_the_form_is_sent_is_an_error() -> None:
    organiser = OrganiserFactory()
    template = template_settings_save(tournament=friday_cup(organiser), by=organiser, name="Fridays", group=None)
    client = signed_in(organiser)
    page = client.get(NEW, {"template": template.pk})
    sent = shown_of(page) | {"name": "Friday cup 2"}
    tournament_template_delete(template=template)
    answer = client.post(NEW, sent)
    assert answer.status_code == 422
    assert "The template is not there any more." in answer.content.decode()
    assert not Tournament.objects.filter(name="Friday cup 2").exists()
    assert client.post(NEW, sent | {"start": answer.context["start_code"] if answer.context["start"] else ""}).url


@pytest.mark.parametrize(
    ("first", "zone"), [("0001-01-01T00:00:00Z", "America/New_York"), ("9999-12-31T23:59:59Z", "Asia/Tokyo")]
)
def test_a_first_round_outside_all_years_is_refused(first: str, zone: str) -> None:
    organiser = OrganiserFactory()
    template = template_settings_save(tournament=friday_cup(organiser), by=organiser, name="Fridays", group=None)
    address = reverse("api-tournaments:from-template", args=[template.pk])
    sent = send(organiser, "post", address, {"name": "Far", "first_round_at": first, "time_zone": zone})
    assert sent.status_code == 400


def test_an_earlier_event_of_ones_own_is_a_start_too_and_a_preset_takes_its_place() -> None:
    organiser = OrganiserFactory()
    cup, client = friday_cup(organiser), signed_in(organiser)
    page = client.get(NEW)
    assert f'<option value="event:{cup.slug}">' in page.content.decode()
    page = client.post(NEW, {"use": "1", "from": f"event:{cup.slug}"})
    assert client.post(NEW, shown_of(page) | {"name": "Again"}).status_code == 302
    assert_like(Tournament.objects.get(name="Again"), cup)
    page = client.post(NEW, shown_of(page) | {"preset": "quick"})
    assert (page.context["start"], page.context["form"]["format"].value()) == (None, "single_elimination")
    assert 'name="start"' not in page.content.decode()


def test_questions_and_times_of_events_of_others_are_not_copied() -> None:
    cup, client = friday_cup(OrganiserFactory(), publication="everyone"), signed_in(OrganiserFactory())
    page = client.get(NEW, {"like": cup.slug})
    assert client.post(NEW, shown_of(page) | {"name": "Mine"}).status_code == 302
    made = Tournament.objects.get(name="Mine")
    assert (made.registration, made.plans.count(), made.first_round_at) == ([], 0, None)


def test_a_groups_template_is_for_those_who_organise_there_and_nobody_else() -> None:
    organiser, colleague = OrganiserFactory(), OrganiserFactory()
    group, other = group_of(organiser), group_of(OrganiserFactory())
    member_in(group, colleague, role=GroupRole.STAFF)
    pupil, member, staff = UserFactory(), OrganiserFactory(), UserFactory(is_staff=True)
    for person in (pupil, member):
        member_in(group, person)
    cup = TournamentFactory(organiser=organiser, audience="group", group=other)
    template = template_settings_save(tournament=cup, by=organiser, name="Fridays", group=group)
    assert template.fields["audience"] == f"group:{group.slug}"
    address = reverse("tournaments:template-rename", args=[template.pk])
    for person in (pupil, member, staff, OrganiserFactory()):
        client = signed_in(person)
        assert not tournament_templates_visible(person).exists()
        assert client.get(address).status_code == client.post(address, {"name": "Mine"}).status_code == 404
        assert client.post(reverse("tournaments:template-delete", args=[template.pk])).status_code == 404
        assert client.get(NEW, {"template": template.pk}).status_code in (403, 404)
        assert send(person, "get", reverse("api-tournaments:template", args=[template.pk])).status_code == 404
        sent = send(person, "post", reverse("api-tournaments:from-template", args=[template.pk]), {"name": "Theirs"})
        assert sent.status_code == 404
    assert not Tournament.objects.filter(name="Theirs").exists()
    client = signed_in(colleague)
    assert "Fridays" in client.get(reverse("tournaments:templates")).content.decode()
    assert client.post(address, {"name": "Saturdays"}).status_code == 302
    page = client.get(NEW, {"template": template.pk})
    assert client.post(NEW, shown_of(page) | {"name": "Saturday cup"}).status_code == 302
    assert Tournament.objects.get(name="Saturday cup").group == group
    Group.objects.filter(pk=group.pk).update(closed_at=timezone.now())
    assert not tournament_templates_visible(colleague).exists()


def test_a_template_of_a_group_does_not_become_public_when_its_organiser_leaves() -> None:
    organiser, group = OrganiserFactory(), group_of(OrganiserFactory())
    member_in(group, organiser, role=GroupRole.STAFF)
    cup = TournamentFactory(organiser=organiser, audience="group", group=group)
    template = template_settings_save(tournament=cup, by=organiser, name="Fridays", group=None)
    client = signed_in(organiser)
    chosen = f'<option value="group:{group.slug}" selected>'
    assert chosen in client.get(NEW, {"template": template.pk}).content.decode()
    group_member_leave(group=group, person=organiser)
    page = client.get(NEW, {"template": template.pk}).content.decode()
    assert '<option value="unlisted" selected>' in page
    assert f'value="group:{group.slug}"' not in page


def test_a_template_is_of_one_person_or_group_and_a_name_is_there_once_whatever_its_case() -> None:
    organiser = OrganiserFactory()
    group = group_of(organiser)
    first = tournament_template_create(name="Fridays", by=organiser, fields={})
    with pytest.raises(TemplateRefused):
        tournament_template_create(name="FRIDAYS", by=organiser, fields={})
    other = tournament_template_create(name="Fridays", by=organiser, group=group, fields={})
    with pytest.raises(TemplateRefused):
        tournament_template_create(name="fridays", by=organiser, group=group, fields={})
    tournament_template_create(name="Fridays", by=OrganiserFactory(), fields={})
    second = tournament_template_create(name="Sundays", by=organiser, fields={})
    with pytest.raises(TemplateRefused):
        tournament_template_rename(template=second, name="fridays")
    tournament_template_rename(template=first, name="FRIDAYS")
    for wrong in ({"organiser": organiser, "group": group}, {}):
        with pytest.raises(IntegrityError), transaction.atomic():
            TournamentTemplate.objects.create(name="Both", **wrong)
    assert {first.pk, second.pk, other.pk} == set(tournament_templates_visible(organiser).values_list("pk", flat=True))
    with pytest.raises(NotAnOrganiser):
        tournament_template_create(name="Mine", by=UserFactory(), fields={})


@pytest.mark.parametrize("name", ["a\0b", "\N{SUPERSCRIPT TWO}", "9" * 30, "-1", "x" * 5000])
def test_what_names_nothing_is_no_start(name: str) -> None:
    client = signed_in(OrganiserFactory())
    assert client.get(NEW, {"like": name}).status_code == client.get(NEW, {"template": name}).status_code == 404
    for code in (f"event:{name}", f"template:{name}"):
        assert client.post(NEW, {"use": "1", "from": code}).status_code == 200
        assert client.post(NEW, {"start": code}).status_code == 422


def test_templates_are_limited() -> None:
    organiser = OrganiserFactory()
    TournamentTemplate.objects.bulk_create(
        TournamentTemplate(name=f"Number {one}", name_key=str(one), organiser=organiser)
        for one in range(TEMPLATES_MOST)
    )
    with pytest.raises(TemplateRefused, match=str(TEMPLATES_MOST)):
        tournament_template_create(name="One more", by=organiser, fields={})


def test_a_template_of_an_older_release_or_a_removed_game_is_still_read() -> None:
    organiser = OrganiserFactory()
    client = signed_in(organiser)
    old = tournament_template_create(
        name="Old", by=organiser, fields={"game": "pickomino", "format": "swiss", "gone": 1}
    )
    page = client.get(NEW, {"template": old.pk})
    assert page.context["form"]["format"].value() == "swiss"
    outdated = tournament_template_create(name="Gone", by=organiser, fields={"game": "chess"})
    assert client.get(NEW, {"template": outdated.pk}).status_code == 200
    sent = send(organiser, "post", reverse("api-tournaments:from-template", args=[outdated.pk]), {"name": "Chess cup"})
    assert (sent.status_code, sent.json()["code"]) == (409, "template")
    assert not Tournament.objects.exists()


def test_the_api_saves_lists_renames_starts_from_and_deletes() -> None:
    organiser = OrganiserFactory()
    cup, every = friday_cup(organiser), reverse("api-tournaments:templates")
    made = send(organiser, "post", every, {"name": "Fridays", "tournament": cup.slug})
    assert made.status_code == 201, made.content
    data = made.json()
    assert (data["name"], data["group"], data["game"]) == ("Fridays", None, "pickomino")
    assert (data["questions"], data["planned_rounds"]) == (2, 1)
    assert send(organiser, "post", every, {"name": "fridays", "tournament": cup.slug}).status_code == 409
    assert send(organiser, "post", every, {"name": "X", "tournament": cup.slug, "group": "none"}).status_code == 400
    assert send(OrganiserFactory(), "post", every, {"name": "X", "tournament": cup.slug}).status_code == 403
    address = made["Location"]
    assert send(organiser, "patch", address, {"name": "Saturdays"}).json()["name"] == "Saturdays"
    assert [one["name"] for one in send(organiser, "get", every).json()["results"]] == ["Saturdays"]
    first = clock(30, 20)
    sent = {"name": "Saturday cup", "first_round_at": first.isoformat(), "entrants_most": 8}
    started = send(organiser, "post", f"{address}tournaments/", sent)
    assert started.status_code == 201, started.content
    again = Tournament.objects.get(slug=started.json()["slug"])
    assert (again.first_round_at, again.entries_close_at, again.entrants_most) == (first, clock(30, 19, 30), 8)
    assert again.plans.get().starts_at == clock(31, 10)
    assert len(registration_questions_open(again)) == 2
    assert send(organiser, "delete", address).status_code == 204
    assert send(organiser, "get", address).status_code == 404
    assert Tournament.objects.filter(pk=again.pk).exists()
