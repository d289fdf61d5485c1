"""The pages of rulings, and the traces that rulings leave on the others."""

import csv
import io
import json
import re

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, preview, rule
from tests.tournaments.test_pages import page, text_of
from tournaments import services
from tournaments.models import Ruling
from tournaments.ruling_validation import ruling_score_field
from tournaments.selectors.standings.ranking import standings_of

pytestmark = pytest.mark.django_db(transaction=True)

HERE = {"round": 1, "table": 1}


def finished(entries=3, **fields):
    cup = running_tournament(entries, **fields)
    while cup.state == "running":
        finish_matches(cup)
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
    return cup


def at(cup, kind):
    return reverse("tournaments:rule", args=[cup.slug, kind])


def scores_typed(cup, *scores, table=1):
    """The scores of a table of the first round, in seat order, as the page names their fields."""
    seats = fixture_at(cup, 1, table).match.seats.order_by("index")
    return {ruling_score_field(seat): score for seat, score in zip(seats, scores, strict=True)}


def confirmed(client, cup, kind, reason="A bug of ours.", **typed):
    """Look at what follows, and send what the page sends."""
    shown = client.get(at(cup, kind), {**typed, "look": 1})
    assert_clean_page(shown)
    return client.post(at(cup, kind), {**typed, "reason": reason, "basis": shown.context["basis"]})


def test_the_organiser_sees_what_follows_confirms_with_a_reason_and_everyone_reads_it(client):
    cup = finished()
    client.force_login(cup.organiser)
    shown = client.get(at(cup, "void"), {**HERE, "look": 1})
    assert_clean_page(shown)
    assert not Ruling.objects.exists()
    met = fixture_at(cup, 1, 1).match.seats.order_by("index")
    assert [entry.version_id for entry in shown.context["about"]] == [seat.version_id for seat in met]
    _change, lines = shown.context["changes"][0]
    assert [line.before.points - line.after.points for line in lines].count(1) == 1
    assert client.post(at(cup, "void"), {**HERE, "reason": "A <b>bug</b>.", "basis": shown.context["basis"]}).url == (
        reverse("tournaments:rulings", args=[cup.slug])
    )
    client.logout()
    log = page(client, "rulings", cup.slug)
    assert_clean_page(log)
    assert "A <b>bug</b>." in text_of(log).replace("&lt;", "<").replace("&gt;", ">")
    assert "Make a ruling" not in text_of(log)
    assert "void" in text_of(page(client, "detail", cup.slug))
    match = client.get(reverse("matches:detail", args=[Ruling.objects.get().match_id]))
    assert_clean_page(match)
    assert "Ruling 1: match void" in text_of(match)
    assert cup.name in text_of(match)


def test_every_kind_has_a_clean_page_that_keeps_what_was_typed(client):
    cup = finished(4)
    client.force_login(cup.organiser)
    entry = cup.entries.first()
    for kind, typed in [
        ("replace", {**HERE, **scores_typed(cup, "0.5", "1.5")}),
        ("take_back", {"ruling": 1}),
        ("disqualify", {"entry": entry.pk, "annul": "annul"}),
        ("take_back", {"ruling": 3}),
        ("note", {}),
        ("reopen", {}),
        ("replay", HERE),
        ("withdraw", {"entry": entry.pk}),
    ]:
        assert_clean_page(client.get(at(cup, kind), typed))
        assert confirmed(client, cup, kind, **typed).status_code == (
            422 if kind == "withdraw" and entry.is_withdrawn else 302
        )
        for name in ("rulings", "detail", "tie-breaks"):
            assert_clean_page(page(client, name, cup.slug))
    assert list(Ruling.objects.values_list("number", flat=True)) == list(range(1, 9))
    rows = list(csv.DictReader(io.StringIO(page(client, "rulings-export", cup.slug).getvalue().decode())))
    assert [row["kind"] for row in rows] == list(Ruling.objects.order_by("number").values_list("kind", flat=True))
    names = fixture_at(cup, 1, 1).match.seats.order_by("index").values_list("version__bot__name", flat=True)
    assert rows[0]["scores"] == "; ".join(f"{name}: {n}" for name, n in zip(names, (0.5, 1.5), strict=True))
    data = json.loads(page(client, "export", cup.slug, "tournament.json").getvalue())
    assert [one["number"] for one in data["rulings"]] == list(range(1, 9))
    assert sorted(data["rulings"][0]["scores"].values()) == [0.5, 1.5]
    replayed = client.get(reverse("matches:detail", args=[Ruling.objects.get(kind="replay").match_id]))
    assert "Show the match played instead" in text_of(replayed)


def test_a_ruling_needs_a_reason_and_a_preview_that_still_holds(client):
    cup = finished(3)
    client.force_login(cup.organiser)
    response = confirmed(client, cup, "void", reason="  ", **HERE)
    assert (response.status_code, "reason" in response.context["reason"].errors) == (422, True)
    sat = fixture_at(cup, 1, 1).match.seats.values_list("version", flat=True)
    scores = dict.fromkeys(cup.entries.filter(version__in=sat).values_list("pk", flat=True), 1)
    stale = client.get(at(cup, "void"), {**HERE, "look": 1}).context["basis"]
    rule(cup, "replace", fixture=fixture_at(cup, 1, 1), scores=scores)
    response = client.post(at(cup, "void"), {**HERE, "reason": "A bug of ours.", "basis": stale})
    assert response.status_code == 409
    assert "have changed meanwhile" in text_of(response)
    assert "A bug of ours." in response.content.decode()
    assert Ruling.objects.count() == 1
    again = {**HERE, "reason": "A bug of ours.", "basis": response.context["basis"]}
    assert client.post(at(cup, "void"), again).status_code == 302
    assert client.post(at(cup, "void"), again).status_code == 302
    assert Ruling.objects.count() == 2


def test_scores_typed_for_one_match_are_not_taken_for_another_that_was_chosen_since(client):
    cup = finished(4)
    client.force_login(cup.organiser)
    typed = {"round": 1, "table": 2, **scores_typed(cup, "2", "0", table=1)}
    shown = client.get(at(cup, "replace"), {**typed, "look": 1})
    assert shown.status_code == 422
    assert "follows" not in shown.context
    labels = [str(field.label) for field in shown.context["form"] if field.name.startswith("score_")]
    names = fixture_at(cup, 1, 2).match.seats.order_by("index").values_list("version__bot__name", flat=True)
    assert labels == [f"Score of {name}" for name in names]


def test_a_finished_tournament_says_that_it_must_be_reopened_before_a_replay(client):
    cup = finished(3)
    client.force_login(cup.organiser)
    response = client.get(at(cup, "replay"), {**HERE, "look": 1})
    assert "Re-open it first" in text_of(response)
    assert confirmed(client, cup, "replay", **HERE).status_code == 422
    assert confirmed(client, cup, "reopen").status_code == 302
    assert confirmed(client, cup, "replay", **HERE).status_code == 302


def test_rulings_are_read_only_for_those_who_administer_the_site(client):
    cup = finished(2)
    made = rule(cup, "note")
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert client.get(reverse("admin:tournaments_ruling_change", args=[made.pk])).status_code == 200
    registered = admin.site.get_model_admin(Ruling)
    request = client.get("/").wsgi_request
    assert not any(
        (
            registered.has_add_permission(request),
            registered.has_change_permission(request),
            registered.has_delete_permission(request),
        )
    )


def test_arbiters_are_named_by_their_user_name(client):
    cup, hen = running_tournament(2), UserFactory(username="hen")
    client.force_login(cup.organiser)
    where = reverse("tournaments:arbiters", args=[cup.slug])
    assert_clean_page(client.get(where))
    for name, words in [("nobody", "Nobody here is called"), (cup.organiser.username, "is the organiser")]:
        response = client.post(where, {"username": name})
        assert response.status_code == 422
        assert words in text_of(response)
        assert response.context["form"]["username"].value() == name
    assert client.post(where, {"username": "hen"}).status_code == 302
    assert "already" in text_of(client.post(where, {"username": "hen"}))
    assert list(cup.arbiters.all()) == [hen]
    assert_clean_page(client.get(where))
    client.post(reverse("tournaments:dismiss", args=[cup.slug, hen.pk]))
    assert not cup.arbiters.exists()


def test_the_standings_of_the_preview_are_those_after_it(client):
    cup = finished(5)
    shown = preview(cup, "void", fixture=fixture_at(cup, 1, 1))
    rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    assert shown.changes[0].after == standings_of(cup.stage)


def test_once_it_runs_who_rules_withdraws_by_a_ruling_and_an_author_is_asked_first(client):
    cup = running_tournament(4, format="swiss", rounds=3)
    entry = cup.entries.select_related("bot__owner")[1]
    at_once = reverse("tournaments:withdraw", args=[cup.slug, entry.pk])
    by_ruling = at(cup, "withdraw")
    client.force_login(cup.organiser)
    shown = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert_clean_page(shown)
    assert at_once not in shown.content.decode()
    menu = rf'popover [^>]*id="acts{entry.pk}".*?href="{by_ruling}\?entry={entry.pk}"'
    assert re.search(menu, shown.content.decode(), re.DOTALL)  # folded: a line for each bot made pages of 8,000 px
    assert by_ruling in page(client, "rulings", cup.slug).content.decode()
    client.force_login(entry.bot.owner)
    shown = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert_clean_page(shown)
    assert re.search(
        rf'popover [^>]*id="(?:withdraw|acts){entry.pk}".*?action="{at_once}"', shown.content.decode(), re.DOTALL
    )
    assert shown.content.decode().count('action="' + at_once) == 1
    assert by_ruling not in shown.content.decode()


def test_a_disqualified_bot_is_called_that_and_never_withdrawn(client):
    cup = running_tournament(4, format="single_elimination")
    fixture = fixture_at(cup, 1, 1)
    out, other = (cup.entries.get(version=seat.version_id) for seat in fixture.match.seats.order_by("index"))
    finish_matches(cup, lambda table: [float(entry == out.pk or out.pk not in table) for entry in table])
    rule(cup, "disqualify", entry=out)
    name = out.bot.name
    for address in (
        reverse("tournaments:detail", args=[cup.slug]),
        reverse("tournaments:bracket", args=[cup.slug, 1]),
    ):
        text = text_of(client.get(address))
        assert re.search(rf"{name}( v\d+)? disqualified|Disqualified: {name}", text), address
        assert "withdrawn" not in text.replace("it is withdrawn and its author gets a notice", "").casefold(), address
    answer = {one["entry"]: one for one in client.get(f"/api/tournaments/{cup.slug}/entries/").json()["results"]}
    assert (answer[out.pk]["is_withdrawn"], answer[out.pk]["is_disqualified"]) == (False, True)
    assert (answer[other.pk]["is_withdrawn"], answer[other.pk]["is_disqualified"]) == (False, False)
    data = json.loads(page(client, "export", cup.slug, "tournament.json").getvalue())
    assert {one["entry"]: one["disqualified"] for one in data["entries"]}[out.pk]
    assert "withdrawn" not in client.get(reverse("tournaments:report", args=[cup.slug, 1])).getvalue().decode()


def test_take_back_stands_beside_each_ruling_that_holds_and_shows_first_what_it_does(client):
    cup = running_tournament(4, format="swiss", rounds=3, has_round_review=True)
    client.force_login(cup.organiser)
    entry = cup.entries.first()
    shown = client.get(at(cup, "disqualify"), {"entry": entry.pk, "annul": "annul", "look": 1})
    assert_clean_page(shown)
    text = text_of(shown)
    assert "Round 1, which waits, is drawn again" in text
    assert entry.bot.name in text
    assert "Bye:" in text
    confirmed(client, cup, "disqualify", entry=entry.pk, annul="annul")
    log = page(client, "rulings", cup.slug)
    link = f"{at(cup, 'take_back')}?ruling=1&amp;look=1"
    assert link in log.content.decode()
    preview_page = client.get(link.replace("&amp;", "&"))
    assert_clean_page(preview_page)
    assert "drawn again" in text_of(preview_page)
    assert confirmed(client, cup, "take_back", ruling=1).status_code == 302
    log = page(client, "rulings", cup.slug)
    assert link not in log.content.decode()
    assert "taken back" in text_of(log)
    again = client.get(at(cup, "take_back"), {"ruling": 1, "look": 1})
    assert again.status_code == 422
    client.logout()
    assert "?ruling=" not in page(client, "rulings", cup.slug).content.decode()


def test_round_and_table_are_chosen_from_lists_with_the_names_of_the_bots(client):
    cup = running_tournament(4)
    client.force_login(cup.organiser)
    shown = client.get(at(cup, "void"), {"round": 2})
    assert_clean_page(shown)
    form = shown.context["form"]
    assert [value for value, _ in form.fields["round"].choices] == [3, 2, 1]
    fixture = fixture_at(cup, 2, 1)
    names = [seat.version.bot.name for seat in fixture.match.seats.order_by("index")]
    assert form.fields["table"].choices[0] == (1, f"Table 1: {', '.join(names)}")
    assert b'type="number"' not in shown.content
