"""The organiser's form: everything it takes, and that bad input costs nobody what was typed."""

import pytest
from django.urls import reverse
from django.utils import timezone

from contests.game_settings_form import game_settings_option_labels
from games.catalogue import current
from games.protocol import MIB, Limits
from matches.models import Match
from tests.arena.factories import OrganiserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory
from tournaments.forms import TournamentForm
from tournaments.models import Tournament
from tournaments.presets import PRESETS
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.services import tournament_open, tournament_start

pytestmark = pytest.mark.django_db
NEW = "/tournaments/new/"
NEXT_YEAR = timezone.now().year + 1


def said(response):
    """The page on one line, however its template breaks."""
    return " ".join(response.content.decode().split())


@pytest.fixture
def organiser(client):
    user = OrganiserFactory()
    client.force_login(user)
    return user


def typed(**fields):
    """The form as a browser sends it when only these fields were changed."""
    form = TournamentForm()
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    return {**data, "name": "Harvest Cup", "entrants_most": 16, **fields}


def test_the_form_makes_a_draft_of_the_organisers(client, organiser):
    response = client.post(
        NEW,
        typed(
            description="Every autumn.",
            players_per_table=4,
            blocks=3,
            tempo="story",
            entries_per_author=2,
            option_steal='"mandatory"',
            option_flip_without_return="true",
            limit_act_cpu="0.5",
            limit_memory="128",
        ),
    )
    cup = Tournament.objects.get()
    assert response.url == reverse("tournaments:detail", args=[cup.slug])
    assert (cup.organiser, cup.state, cup.name, cup.description) == (organiser, "draft", "Harvest Cup", "Every autumn.")
    assert (cup.stage.players_per_table, cup.stage.blocks, cup.tempo, cup.entries_per_author) == (4, 3, "story", 2)
    assert (cup.options["steal"], cup.options["flip_without_return"]) == ("mandatory", True)
    assert cup.limits == Limits(act_cpu=0.5, memory=128 * MIB).to_dict()


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("name", "", "required"),
        ("name", "x" * 81, "at most 80"),
        ("name", "nul\0byte", "Null characters"),
        ("name", "Cup\u202e won by hens", "visible characters only"),
        ("name", "Cup\nBcc: everyone", "visible characters only"),
        ("game", "chess", "not one of the available choices"),
        ("players_per_table", "1", "is played by 2 to 7"),
        ("players_per_table", "8", "is played by 2 to 7"),
        ("players_per_table", "two", "whole number"),
        ("blocks", "0", "greater than or equal to 1"),
        ("blocks", "9" * 30, "1 to 500"),
        ("tempo", "slow", "slow is not one of the available choices"),
        ("entries_per_author", "", "required"),
        ("option_steal", '"always"', "not one of the available choices"),
        ("option_steal", "{", "not one of the available choices"),
        ("option_short_variant", '"flip_highest_always"', "is not for 2 players"),
        ("limit_act_cpu", "nan", "Enter a number"),
        ("limit_act_cpu", "0", "greater than or equal to 0.001"),
        ("limit_memory", "1", "greater than or equal to 64"),
        ("stop_error", "0.05", "needs at least 15 deals"),
        ("stop_error", "0.2", "not one of the available choices"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_everything_typed_stays(client, organiser, field, value, reason):
    data = typed(description="A sentence nobody wants to type twice.", **{field: value})
    response = client.post(NEW, data)
    assert response.status_code == 422
    form = response.context["form"]
    assert reason in " ".join(form.errors["blocks" if "15 deals" in reason else field])
    assert "A sentence nobody wants to type twice." in response.content.decode()
    assert {name: str(form[name].value()) for name in data} == {name: str(value) for name, value in data.items()}
    assert not Tournament.objects.exists()
    if "\0" not in value:
        assert_clean_page(response)


def test_a_draft_is_edited_with_its_own_values_filled_in(client, organiser):
    cup = TournamentFactory(organiser=organiser, state="draft", description="As it was.", players_per_table=3)
    address = reverse("tournaments:edit", args=[cup.slug])
    shown = client.get(address)
    assert_clean_page(shown)
    form = shown.context["form"]
    values = {name: form[name].value() for name in form.fields}
    data = {name: "" if value is None else value for name, value in values.items()}  # as a browser sends nothing
    assert (data["description"], data["players_per_table"], data["limit_memory"]) == ("As it was.", 3, 512)
    client.post(address, data | {"name": "Another name", "basis": shown.context["basis"]})
    cup.refresh_from_db()
    assert (cup.name, cup.description, cup.stage.players_per_table) == ("Another name", "As it was.", 3)


def test_of_what_has_begun_no_term_is_edited(client, organiser):
    cup = tournament_start(tournament=TournamentFactory(organiser=organiser, name="Announced", entries=3))
    address = reverse("tournaments:edit", args=[cup.slug])
    assert "name" not in client.get(address).context["form"].fields
    before = Tournament.objects.filter(pk=cup.pk).values("name", "entrants_most", "entries_per_author", "options").get()
    typed_over = typed(name="Another", entrants_most=99, basis=tournament_edit_basis(cup))
    assert client.post(address, typed_over).status_code == 302
    assert Tournament.objects.filter(pk=cup.pk).values(*before).get() == before


def test_asking_for_another_games_options_keeps_what_was_typed(client, organiser):
    response = client.post(NEW, typed(name="Half typed", blocks="rubbish", choose="1"))
    assert response.status_code == 200
    assert response.context["form"]["name"].value() == "Half typed"
    assert not response.context["form"].errors


def test_a_preset_chosen_late_costs_nothing_that_was_typed(client, organiser):
    response = client.post(NEW, typed(name="Half typed", game="laghetti", blocks="77", preset="championship"))
    form = response.context["form"]
    assert not form.errors
    shown = {name: form[name].value() for name in ("name", "game", "rounds", "final", "players_per_table")}
    assert shown == {"name": "Half typed", "game": "laghetti", "rounds": 7, "final": "heats", "players_per_table": 3}
    assert 'value="championship" formnovalidate aria-pressed="true"' in said(response)
    assert said(client.post(NEW, typed(preset="nonsense"))).count("formnovalidate aria-pressed") == len(PRESETS)
    assert not Tournament.objects.exists()


def test_a_preset_is_marked_only_while_the_form_shows_it(client, organiser):
    marked = 'aria-pressed="true"><strong>'
    for one in PRESETS:
        assert marked in said(client.get(NEW, {"preset": one.code}))
    assert marked not in said(client.get(NEW))
    assert marked not in said(client.post(NEW, typed(format="swiss", rounds="9", blocks="7", choose="1")))


def test_the_last_step_says_what_the_tournament_will_be_like(client, organiser):
    address = reverse("tournaments:estimate")
    wish = typed(format="swiss", rounds="3", final="single_elimination", admission="invited", entries_close_at="")
    page = said(client.post(address, wish | {"first_round_at": f"{NEXT_YEAR}-12-24T18:00", "name": "<b>Cup</b>"}))
    assert "worker-hours" in page
    assert "<b>" not in page
    incomplete = said(client.post(address, wish | {"players_per_table": "many"}))
    assert "worker-hours" not in incomplete.partition("Your other")[0]
    form = said(client.get(NEW))
    for said_of_nothing in ("When you open them", "When you close them", "When you start it", "Teams of any size"):
        assert f'data-unset="{said_of_nothing}"' in form


def test_what_is_rarely_changed_is_folded_until_it_has_to_be_mended(client, organiser):
    folds = said(client.get(NEW)).count('<details class="fold" open>')
    assert folds == 0
    assert said(client.post(NEW, typed(limit_act_cpu="0"))).count('<details class="fold" open>') == 1
    assert said(client.post(NEW, typed(round_minutes="-1"))).count('<details class="fold" open>') == 1


@pytest.mark.parametrize(("wished", "shown"), [("2", 3), ("4", "4"), ("rubbish", 3)])
def test_another_game_is_shown_with_a_number_of_players_that_it_has(client, organiser, wished, shown):
    response = client.post(NEW, typed(game="laghetti", players_per_table=wished, choose="1"))
    assert response.context["form"]["players_per_table"].value() == shown


def test_the_empty_form_is_a_clean_page(client, organiser):
    assert_clean_page(client.get(NEW))


def test_matches_of_two_may_end_when_they_are_decided_as_the_page_announces(client, organiser):
    client.post(NEW, typed(blocks=40, stop_error="0.1", stop_effect="0.1", final="single_elimination", final_blocks=60))
    cup = Tournament.objects.get()
    rule = {"rule": "gsprt/2", "effect": 0.1, "error": 0.1}
    assert [(stage.blocks, stage.stopping) for stage in cup.stages.all()] == [(40, rule), (60, rule)]
    page = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert_clean_page(page)
    announced = "after %d deals at most; of two equal bots, one is called better in at most 10\u00a0%% of matches"
    for blocks in (40, 60):
        assert announced % blocks in page.content.decode()
    assert page.content.decode().count('<ul class="series-costs') == 2
    form = client.get(reverse("tournaments:edit", args=[cup.slug])).context["form"]
    assert (form["stop_error"].value(), form["stop_effect"].value()) == ("0.1", "0.1")


def test_they_may_be_decided_less_their_luck_where_a_value_tells_it(client, organiser):
    wish = {"blocks": 40, "stop_error": "0.1", "stop_effect": "0.1", "stop_less_luck": "on"}
    client.post(NEW, typed(**wish))
    cup = Tournament.objects.get()
    rule = {"rule": "gsprt/3", "effect": 0.1, "error": 0.1, "value": "pickomino/1-v1"}
    assert cup.stages.get().stopping == rule
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "Decided by luck-adjusted scores, measured by the value pickomino/1-v1" in page
    assert client.get(reverse("tournaments:edit", args=[cup.slug])).context["form"]["stop_less_luck"].value() is True
    refused = client.post(NEW, typed(game="karteneck", **wish))
    assert "The luck of this game cannot be measured" in str(refused.context["form"].errors["stop_less_luck"])
    assert Tournament.objects.count() == 1


def test_the_form_tells_what_a_rule_that_ends_matches_is_expected_to_cost(client, organiser):
    address = reverse("tournaments:estimate")
    wish = typed(blocks=60, stop_error="0.05", stop_effect="0.2", final="single_elimination", final_blocks=40)
    text = " ".join(client.post(address, wish).content.decode().split())
    assert text.count('<ul class="series-costs') == 2
    assert "Stage 2: " in text
    assert "<strong>equal bots</strong>: 25 deals, 50 games; one called better: 1 %, too close to call: 99 %" in text
    assert "series-costs" not in client.post(address, typed(blocks=60)).content.decode()


def test_at_larger_tables_a_series_has_a_fixed_length_and_a_knockout_after_them_may_not(client, organiser):
    response = client.post(NEW, typed(players_per_table=3, blocks=40, stop_error="0.05"))
    assert "Only at tables of two" in str(response.context["form"].errors["stop_error"])
    client.post(
        NEW, typed(players_per_table=3, blocks=40, stop_error="0.05", final="single_elimination", final_blocks=20)
    )
    first, final = Tournament.objects.get().stages.all()
    assert (first.stopping, final.stopping["effect"]) == ({}, 0.05)


def test_the_matches_of_a_stage_keep_its_stopping_rule(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *args, **kwargs: None)
    cup = TournamentFactory(entries=2)
    rule = {"rule": "gsprt/1", "effect": 0.05, "error": 0.01}
    cup.stages.update(blocks=30, stopping=rule)
    tournament_start(tournament=cup)
    (match,) = Match.objects.all()
    assert (match.blocks, match.stopping) == (30, rule)


def test_the_top_of_a_form_with_errors_names_and_leads_to_each_field(client, organiser):
    text = said(client.post(NEW, typed(blocks="0", format="swiss", rounds="")))
    for field, label in (("blocks", "Deals per match"), ("rounds", "Rounds of a Swiss")):
        assert f'<a href="#id_{field}">{label}</a>' in text
        assert text.count(f'id="id_{field}"') == 1
    assert '<a href="#id_name">' not in text


def test_a_new_tournament_may_be_like_another_but_for_what_is_its_alone(client, organiser):
    client.post(
        NEW,
        typed(
            players_per_table=3,
            format="heats",
            tempo="every",
            first_round_at=f"{NEXT_YEAR}-12-24T18:00",
            round_minutes=9,
        ),
    )
    cup = Tournament.objects.get()
    client.force_login(OrganiserFactory())
    assert client.get(NEW, {"like": cup.slug}).status_code == 404
    tournament_open(tournament=cup)
    response = client.get(NEW, {"like": cup.slug})
    assert_clean_page(response)
    form = response.context["form"]
    shown = [form[name].value() for name in ("name", "first_round_at", "format", "players_per_table", "tempo")]
    assert shown == ["", None, "heats", 3, "every"]
    again = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    assert client.post(NEW, again | {"name": "Second Harvest Cup"}).status_code == 302
    twin = Tournament.objects.get(name="Second Harvest Cup")
    same = ("ruleset", "options", "limits", "tempo", "tie_breaks", "round_minutes", "publication")
    assert [getattr(twin, name) for name in same] == [getattr(cup, name) for name in same]
    assert (twin.stage.format, twin.organiser == cup.organiser, twin.luck.secret == cup.luck.secret) == (
        "heats",
        False,
        False,
    )


def test_options_are_said_in_the_order_of_the_game_whatever_the_order_of_their_keys():
    """PostgreSQL sorts the keys of an object."""
    options = {name: one.default for name, one in current("karteneck").options.items()}
    assert len(options) > 1
    mixed = {**dict(sorted(options.items(), reverse=True)), "unknown": 1}
    assert game_settings_option_labels("karteneck/2", mixed) == [
        *game_settings_option_labels("karteneck/2", options),
        ("unknown", "1"),
    ]


@pytest.mark.parametrize("game", ["pickomino", "laghetti"])
@pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.code)
def test_a_preset_only_needs_a_name(client, organiser, preset, game):
    response = client.get(NEW, {"preset": preset.code, "game": game})
    assert_clean_page(response)
    form = response.context["form"]
    shown = {name: value for name in form.fields if (value := form[name].value()) is not None and value is not False}
    saved = client.post(NEW, shown | {"name": "Preset Cup"})
    assert saved.status_code == 302, saved.context["form"].errors
    cup = Tournament.objects.get()
    assert (cup.game, cup.entrants_most) == (game, preset.fields["entrants_most"])
    assert cup.stages.count() == 1 + ("final" in preset.fields)
    assert cup.stage.players_per_table == (2 if game == "pickomino" else 3)


def test_a_first_round_in_the_past_is_refused_and_what_was_typed_stays(client, organiser):
    response = client.post(NEW, typed(first_round_at="2020-01-02T03:04"))
    assert response.status_code == 422
    assert 'value="2020-01-02T03:04"' in response.content.decode()
    assert "This time is over" in str(response.context["form"].errors["first_round_at"])
    assert not Tournament.objects.exists()


def test_a_final_chosen_before_the_format_became_a_knockout_is_left_out(client, organiser):
    assert client.post(NEW, typed(format="single_elimination", final="single_elimination")).status_code == 302
    assert Tournament.objects.get().stages.count() == 1


def test_the_sum_of_rounds_games_and_time_follows_the_form(client, organiser):
    text = said(client.post(reverse("tournaments:estimate"), typed(format="swiss", rounds=3, blocks=2)))
    assert "3 rounds, 24 matches, 96 games" in text
