"""Checks that every game must pass. Each check takes a game or a state and fails by assertion.

The checks also detect leaks of hidden information: e.g. a game that shows a hidden card fails.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any
from xml.etree.ElementTree import fromstring

import jsonschema_rs
import pytest
from jsonschema_rs import Draft202012Validator

from games.chance import Roll, roll_odds
from games.dealer import Dealer
from games.game import CatalogueGame
from games.numbered import NumberedGame
from games.picture import BYTES_MAX, PicturePlayer, picture_alone
from games.record import Record, RecordError
from games.ruleset import Ruleset
from games.state import CHANCE, IllegalAction, Outcome, State
from luck.judge import Judge

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = ("svg", "title", "desc", "g", "path", "text", "circle", "rect")
NONSENSE = ("", " ", "nonsense", "\0", "take", "1", "Ω", "x" * 5000)


def check_actions(state: State, players: int, vocabulary: tuple[str, ...]) -> None:
    """Check that actions have a fixed order and no duplicates, and are empty only at the end. Also check that the actor
    is a seat or chance.
    """
    legal = state.actions()
    assert legal == state.actions()
    assert len(set(legal)) == len(legal)
    assert bool(legal) == (state.outcome() is None)
    if not legal:
        assert state.chance() is None
    elif state.actor == CHANCE:
        assert state.chance() is not None
    else:
        assert state.actor in range(players)
        assert state.chance() is None
        assert set(legal) <= set(vocabulary)


def check_reading(state: State) -> None:
    """Check that the text of each action reads back as that action, and that other texts raise an error with the legal
    actions.
    """
    legal = state.actions()
    for action in legal[:20]:
        assert state.read(action) == action
        assert state.weight(action) > 0
        for near in (action + " ", action.upper() + "!", action[:-1] + "\n"):
            assert near in legal or _refuses(state, near)
    assert all(text in legal or _refuses(state, text) for text in NONSENSE)


def check_odds(state: State) -> None:
    """Check that the probability of a roll in sorted order counts all its orders: see ``roll_odds`` for
    ``State.weight``.
    """
    if not isinstance(request := state.chance(), Roll):
        return
    scale = {Fraction(state.weight(action), roll_odds(action)) for action in state.actions()}
    assert len(scale) == 1, f"weight() of {request}: return roll_odds for its faces"


def check_frozen(state: State) -> None:
    """Check that a state is hashable, equal to itself and immutable, and that playing an action does not change it."""
    facts, again = state.facts(), hash(state)
    with pytest.raises((AttributeError, TypeError)):
        state.turn = 99  # type: ignore[misc]
    for action in state.actions()[:3]:
        assert state.play(action) == state.play(action)
        assert hash(state.play(action)) == hash(state.play(action))
    assert (state.facts(), hash(state)) == (facts, again)
    json.dumps(facts)


def check_views(state: State, players: int, schema: Draft202012Validator) -> None:
    """Check that views are JSON, match the schema, name the actor, and list the legal actions for the actor only."""
    for seat in (None, *range(players)):
        view = state.view(seat)
        assert json.loads(json.dumps(view)) == view
        schema.validate(view)
        assert view["actions"] == (list(state.actions()) if seat is not None and seat == state.actor else [])
        assert (view["you"], view["actor"]) == (seat, state.actor)
        check_view_own(state, seat)


def check_view_own(state: State, seat: int | None) -> None:
    """Check that changing a view does not change later views."""
    view = state.view(seat)
    told = json.dumps(view)
    _emptied(view)
    assert json.dumps(state.view(seat)) == told


def _emptied(value: Any) -> None:
    if isinstance(value, list | dict):
        for part in list(value.values() if isinstance(value, dict) else value):
            _emptied(part)
        value.clear()


def check_secrets(state: State, players: int, depth: int = 2) -> None:
    """Check that states that a seat cannot tell apart look the same to it, now and after actions that look the same."""
    for seat in range(players):
        _same_to(seat, [state], depth)


def check_seen(state: State, players: int) -> None:
    """Check that the text of an outcome of chance, as a seat sees it, contains nothing that is in the spectator's view
    but not in the seat's own.
    """
    after = {action: state.play(action) for action in state.actions()[:8] if state.actor == CHANCE}
    for seat in range(players):
        told: dict[str, set[str | None]] = defaultdict(set)
        shown: dict[str, set[str]] = defaultdict(set)
        for action, other in after.items():
            view = json.dumps(other.view(seat))
            told[view].add(state.seen(action, seat))
            shown[view].add(json.dumps(other.view(None)))
        assert all(len(told[view]) == 1 for view in shown if len(shown[view]) > 1)


def _same_to(seat: int, alike: list[State], depth: int) -> None:
    views = [state.view(seat) for state in alike]
    assert all(view == views[0] for view in views)
    # States that are dealt again must look the same, too, and must not depend on what the seat does not see.
    dealt = [state.resample(seat, Random(depth)) for state in alike]
    assert dealt[0].view(seat) == views[0]
    assert all(state == dealt[0] for state in dealt)
    if not depth:
        return
    by_sight: dict[Any, list[State]] = defaultdict(list)
    for state in alike:
        for action in state.actions()[:8]:
            by_sight[state.seen(action, seat)].append(state.play(action))
    for group in by_sight.values():
        if len(group) > 1:
            _same_to(seat, group[:6], depth - 1)


def check_redealt(states: Sequence[State], actions: Sequence[str], seat: int, at: int, other: str) -> int:
    """Check that ``seat`` would have seen the same if ``other`` had been drawn instead of ``actions[at]``. Both draws
    must be hidden from ``seat``.

    The game then continues with the recorded actions. Where one of the two draws occurs again hidden from ``seat``, the
    other one may be played instead. The comparison ends when no such action is possible. Return the number of compared
    positions.
    """
    assert states[at].seen(actions[at], seat) is None
    instead = {actions[at]: other, other: actions[at]}
    other_state, compared = states[at].play(other), 0
    for state, action in zip(states[at + 1 :], actions[at + 1 :], strict=True):
        assert other_state.actor == state.actor
        assert other_state.view(seat) == state.view(seat)
        assert seat != state.actor or other_state.actions() == state.actions()
        compared += 1
        seen = state.seen(action, seat)
        ways = (action,) if seen is not None else (instead.get(action, action), action)
        possible = [way for way in ways if way in other_state.actions() and other_state.seen(way, seat) == seen]
        if not possible:
            break
        other_state = other_state.play(possible[0])
    return compared


def check_numbers(state: State, game: NumberedGame, rng: Random) -> None:
    """Check the encoding in numbers: observations have the length of the layout, are from -1 to 1 and do not depend on
    hidden information; a state can be restored from its facts; chance has at most ``chance_ways`` outcomes.
    """
    for seat in range(game.players):
        told = game.observation(state, seat)
        numbers = memoryview(told).cast("f")
        assert (len(numbers),) == game.observation_shape
        assert -1 <= min(numbers) <= max(numbers) <= 1
        assert game.observation(state.resample(seat, rng), seat) == told
    again = game.from_facts(json.loads(json.dumps(state.facts())))
    assert (again.facts(), again.actions()) == (state.facts(), state.actions())
    assert len(state.chance_outcomes().codes) <= game.chance_ways
    assert game.legal(state) == sorted(game.number[one] for one in state.actions() if state.actor != CHANCE)


def dealt(ruleset: Ruleset, seed: bytes, most: int = 30) -> list[str]:
    """Return the first ``most`` outcomes of chance with the fewest players, if every seat plays its first action."""
    texts: list[str] = []
    dealer, state = Dealer(seed), ruleset.start(ruleset.seats.start, {})
    while (legal := state.actions()) and len(texts) < most:
        request = state.chance()
        texts += [] if request is None else [dealer.deal(request)]
        state = state.play(legal[0] if request is None else texts[-1])
    return texts


def check_picture(state: State, game: CatalogueGame, players: Sequence[PicturePlayer]) -> None:
    """Check that a picture is XML of at most 2 kB without scripts, and shows only what all seats may know."""
    drawn = game.picture(state.view(None), players, translate=lambda text: text + " " * 12)
    assert len(drawn.encode()) <= BYTES_MAX
    tree = fromstring(drawn)
    assert {one.tag for one in tree.iter()} <= {SVG + tag for tag in DRAWN}
    assert not any(name.startswith("on") or "href" in name for one in tree.iter() for name in one.attrib)
    fromstring(picture_alone(drawn))
    for seat in range(len(players)):
        assert game.picture({**state.view(seat), "actions": []}, players) == game.picture(state.view(None), players)


def check_outcome(outcome: Outcome, players: int) -> None:
    """Check that each seat has points and a place. Seats that tie share a place, and the following places
    are skipped.
    """
    assert len(outcome.points) == len(outcome.places) == players
    for place in outcome.places:
        assert place == 1 + sum(other < place for other in outcome.places)
    for points, place in zip(outcome.points, outcome.places, strict=True):
        assert all(place <= other for less, other in zip(outcome.points, outcome.places, strict=True) if less < points)
    assert outcome.reason


def check_record(record: Record) -> None:
    """Check that a record is small, decodes to the same game and verifies, with and without its legal actions."""
    data = record.encode()
    assert Record.decode(data) == record
    known = replace(record)
    moments = [step.before.actions() for step in record.replay() if step.before.actor != CHANCE]
    object.__setattr__(known, "legal", tuple(moments))
    assert known.encode() == data
    assert replace(known).legal is None
    check_outcome(record.verify(), record.players)


def check_tampering(data: bytes) -> None:
    """Check that a record with a changed byte is not accepted. Of a long record, a sample of sixty bytes is tried."""
    for at in range(0, len(data), 1 + len(data) // 60):
        for flip in (1, 0x80):
            forged = data[:at] + bytes((data[at] ^ flip,)) + data[at + 1 :]
            with pytest.raises(RecordError):
                Record.decode(forged).verify()
    for forged in (data[:-1], data + b"\0", b"", data[1:]):
        with pytest.raises(RecordError):
            Record.decode(forged).verify()


@cache
def check_schema_of(ruleset: Ruleset) -> Draft202012Validator:
    jsonschema_rs.meta.validate(dict(ruleset.view_schema))
    return Draft202012Validator(dict(ruleset.view_schema))


def _refuses(state: State, text: Any) -> bool:
    try:
        state.read(text)
    except IllegalAction as error:
        return error.legal == state.actions() and text.startswith(error.text)
    return False


def check_luck(judge: Judge, state: State) -> None:
    """Check that luck is zero on average, within rounding. Also check that actions are sorted best first, and that each
    has the value of the position to which it leads.
    """
    shares = judge.at(state)
    weights = {action: state.weight(action) for action in state.actions()}
    led = {action: judge.led(state, state.play(action)) for action in weights}
    if state.actor == CHANCE:
        for seat, share in enumerate(shares):
            mean = sum(led[action][seat] * weight for action, weight in weights.items()) / sum(weights.values())
            assert abs(mean - share) <= 1
        return
    _, options = judge.choice(state)
    assert [one.action for one in options] == [one.action for one in sorted(options, key=lambda one: -one.value)]
    assert sorted(one.action for one in options) == sorted(weights)
    assert all(abs(one.value - led[one.action][state.actor]) <= 1 for one in options)
    assert abs(options[0].value - shares[state.actor]) <= 1
