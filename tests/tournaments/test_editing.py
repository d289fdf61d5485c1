"""Editing: all until the first entry, what takes nothing from anybody until the start, each for what was shown."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from contests.models import OrganiserAllowance
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tournaments import services
from tournaments.errors import EditRefused, EditStale, TooMuchWork
from tournaments.selectors.entering.editing import Editing, tournament_edit_basis, tournament_editing_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

YEAR = timezone.now().year + 1
LATER = datetime(YEAR, 5, 1, 12, 0, tzinfo=UTC)


def opened(entries=0, **fields):
    """Open by its own move, so that it has a chain."""
    cup = services.tournament_open(tournament=TournamentFactory(state="draft", **fields))
    for _ in range(entries):
        author = UserFactory()
        services.entry_create(tournament=cup, bot=bot_of(author), by=author)
    return cup


def terms_of(cup):
    return [json.loads(content) for content in cup.chain.filter(kind="terms").values_list("content", flat=True)]


def shown(client, cup):
    """The form, and what a browser sends of it when nothing was typed."""
    client.force_login(cup.organiser)
    answer = client.get(reverse("tournaments:edit", args=[cup.slug]))
    assert_clean_page(answer)
    form = answer.context["form"]
    data = {name: form[name].value() for name in form.fields}
    sent = {name: "" if value is None else value for name, value in data.items() if value is not False}
    for name in ("entries_close_at", "first_round_at"):
        if name in form.fields and hasattr(sent[name], "strftime"):
            sent[name] = sent[name].strftime("%Y-%m-%dT%H:%M")
    return form, sent | {"basis": answer.context["basis"]}


def send(client, cup, data):
    return client.post(reverse("tournaments:edit", args=[cup.slug]), data)


def test_an_open_tournament_without_entries_is_fully_editable_and_announced_again(client):
    cup = opened()
    form, data = shown(client, cup)
    assert "game" in form.fields
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert reverse("tournaments:edit", args=[cup.slug]) in page
    assert send(client, cup, data | {"format": "swiss", "rounds": 5, "players_per_table": 3}).status_code == 302
    cup.refresh_from_db()
    assert (cup.stage.format, cup.stage.rounds, cup.state) == ("swiss", 5, "open")
    first, second = terms_of(cup)
    assert (first["stages"][0]["format"], second["stages"][0]["format"]) == ("round_robin", "swiss")


def test_saving_without_a_change_announces_nothing(client):
    cup = opened(entries=2)
    _form, data = shown(client, cup)
    assert send(client, cup, data).status_code == 302
    assert len(terms_of(cup)) == 1


def test_an_entry_that_arrives_in_between_refuses_the_edit_and_keeps_what_was_typed(client):
    cup = opened()
    _form, data = shown(client, cup)
    hen = UserFactory()
    services.entry_create(tournament=cup, bot=bot_of(hen), by=hen)
    answer = send(client, cup, data | {"players_per_table": 4, "name": "Typed before"})
    assert answer.status_code == 409
    assert "Meanwhile a bot has entered" in answer.content.decode()
    assert answer.context["form"]["name"].value() == "Typed before"
    assert "players_per_table" not in answer.context["form"].fields
    cup.refresh_from_db()
    assert (cup.stage.players_per_table, cup.name != "Typed before") == (2, True)
    again = {**answer.context["form"].data.dict(), "basis": answer.context["basis"]}
    assert send(client, cup, again).status_code == 302
    cup.refresh_from_db()
    assert (cup.stage.players_per_table, cup.name) == (2, "Typed before")


def test_of_two_concurrent_edits_one_is_refused(client):
    cup = opened(entries=2)
    _form, data = shown(client, cup)
    assert send(client, cup, data | {"description": "From the first tab."}).status_code == 302
    assert send(client, cup, data | {"description": "From the second."}).status_code == 409
    wrong = send(client, cup, data | {"name": ""})
    assert wrong.status_code == 422
    assert send(client, cup, data | {"basis": wrong.context["basis"]}).status_code == 409  # mending it is no look again
    cup.refresh_from_db()
    assert cup.description == "From the first tab."


def test_once_a_bot_is_in_the_game_is_text_with_the_reason_and_the_rest_is_edited(client):
    cup = opened(entries=2, options={})
    form, data = shown(client, cup)
    assert not {"game", "format", "blocks", "tempo"} & set(form.fields)
    page = client.get(reverse("tournaments:edit", args=[cup.slug])).content.decode()
    assert "What can no longer be changed" in page
    assert "Bots have entered, so the game and the format are fixed." in page
    changes = {
        "name": "Renamed Cup",
        "description": "All about it.",
        "entrants_most": 7,
        "entries_per_author": 2,
        "admission": "invited",
        "entries_close_at": f"{YEAR}-05-01T12:00",
        "first_round_at": f"{YEAR}-05-02T12:00",
        "round_minutes": 30,
        "has_round_review": "on",
        "publication": "hidden",
    }
    assert send(client, cup, data | changes).status_code == 302
    cup.refresh_from_db()
    assert (cup.name, cup.entrants_most, cup.entries_per_author, cup.admission) == ("Renamed Cup", 7, 2, "invited")
    assert (cup.entries_close_at, cup.round_minutes, cup.has_round_review) == (LATER, 30, True)
    assert cup.publication == "hidden"
    assert [(one["name"], one["entrants_most"]) for one in terms_of(cup)][1] == ("Renamed Cup", 7)
    assert len(terms_of(cup)) == 2


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"entrants_most": "2"}, "3 bots have entered already"),
        ({"entries_per_author": "1"}, "has entered 2 bots already"),
        ({"entries_close_at": f"{YEAR}-04-30T12:00"}, "later time or removed"),
        ({"entries_close_at": "2001-04-30T12:00"}, "This time is over"),
        ({"name": ""}, "required"),
        ({"admission": "friends"}, "not one of the available choices"),
    ],
)
def test_changes_that_would_hurt_entrants_are_refused_beside_their_fields(client, fields, error):
    cup = opened(entries=2, entries_per_author=2, entries_close_at=LATER)
    author = cup.entries.first().bot.owner
    services.entry_create(tournament=cup, bot=bot_of(author), by=author)
    _form, data = shown(client, cup)
    answer = send(client, cup, data | fields)
    assert answer.status_code == 422
    (field,) = fields
    assert error in str(answer.context["form"].errors[field])
    assert answer.context["form"][field].value() == fields[field]
    cup.refresh_from_db()
    assert (cup.entrants_most, cup.entries_per_author, cup.entries_close_at) == (100, 2, LATER)


def test_a_deadline_is_moved_later_or_taken_away():
    for later in (LATER + timedelta(days=1), None, LATER):
        cup = opened(entries=1, entries_close_at=LATER)
        services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), entries_close_at=later)
        cup.refresh_from_db()
        assert cup.entries_close_at == later


def test_options_that_stay_are_named_as_on_the_page_of_the_tournament(client):
    cup = opened(entries=1, options={"lower_tile": "next_lower"})
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:edit", args=[cup.slug])).content.decode()
    assert "lower_tile" not in page
    assert "Lower tile" in page


def test_closed_entries_leave_the_description_and_the_calendar_and_say_how_to_edit_the_rest(client):
    cup = services.tournament_lock(tournament=opened(entries=2))
    form, data = shown(client, cup)
    fields = {
        "description",
        "first_round_at",
        "round_minutes",
        "time_zone",
        "has_round_review",
        "publication",
        "audience",
    }
    assert set(form.fields) == fields
    page = client.get(reverse("tournaments:edit", args=[cup.slug])).content.decode()
    assert "Open entries again to edit these lines" in page
    assert send(client, cup, data | {"description": "At noon.", "round_minutes": 5, "name": "Sly"}).status_code == 302
    before = cup.name
    cup.refresh_from_db()
    assert (cup.description, cup.round_minutes, cup.name) == ("At noon.", 5, before)
    with pytest.raises(EditRefused):
        services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), name="Sly")
    assert len(terms_of(cup)) == 1
    cup = services.tournament_reopen(tournament=cup)
    services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), name="Renamed")
    assert terms_of(cup)[-1]["name"] == "Renamed"


def test_a_first_round_whose_time_came_while_entries_are_open_does_not_stop_another_edit(client):
    past = timezone.now().replace(second=0, microsecond=0) - timedelta(hours=1)
    cup = opened(entries=2, first_round_at=past)
    _form, data = shown(client, cup)
    assert send(client, cup, data | {"description": "Soon."}).status_code == 302
    cup.refresh_from_db()
    assert (cup.description, cup.first_round_at) == ("Soon.", past)


def test_a_start_in_between_refuses_the_edit_and_shows_what_stays_editable(client):
    cup = opened(entries=3)
    _form, data = shown(client, cup)
    basis = tournament_edit_basis(cup)
    services.tournament_start(tournament=cup)
    answer = send(client, cup, data | {"name": "Too late"})
    assert answer.status_code == 409
    assert "name" not in answer.context["form"].fields
    with pytest.raises(EditStale):
        services.tournament_edit(tournament=cup, basis=basis, name="Too late")
    cup.refresh_from_db()
    assert (tournament_editing_of(cup), cup.name != "Too late") == (Editing.BEGUN, True)


def test_everything_shown_is_part_of_the_basis_of_an_edit():
    cup = opened(entries=2)
    basis = tournament_edit_basis(cup)
    services.tournament_publish(tournament=cup, publication="hidden")
    with pytest.raises(EditStale):
        services.tournament_edit(tournament=cup, basis=basis, name="Renamed")
    EntryFactory(tournament=cup)
    cup.refresh_from_db()
    services.tournament_edit(
        tournament=cup, basis=tournament_edit_basis(cup), name="Renamed"
    )  # one more bot takes nothing away


def test_a_higher_cap_is_held_to_the_worker_hours_of_the_organiser():
    cup = opened(entries=2, entrants_most=3, organiser=OrganiserFactory())
    OrganiserAllowance.objects.create(person=cup.organiser, worker_hours=0.05)
    with pytest.raises(TooMuchWork):
        services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), entrants_most=100)
    cup.refresh_from_db()
    assert cup.entrants_most == 3
