"""Run rule vectors against the engine: positions, actions, and what must hold after them.

A game takes part if its ``CatalogueGame`` has a ``scene``, which says how its vectors set up a position, act and are
compared. Nothing is skipped: a vector with an unknown key fails, and the error names the key. A vector names a game,
which means the current version of its rules, or the id of a version.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue import GAMES, UnknownRuleset, ruleset_find_or_current
from games.ruleset import OptionError, SeatError
from games.scene import Keys, Scene, VectorError
from games.state import IllegalAction

__all__ = ["VectorError", "rule_vector_run", "rule_vectors_of"]

FIXTURE: Final = "fixture"  # the kind of vector that only provides values for other vectors


def rule_vectors_of(document: Any) -> list[Any]:
    """Return the vectors in the JSON value of a vector file, with references to fixtures replaced by their values.

    Raises:
        VectorError: ``document`` is not a vector file.
    """
    keys = Keys(document, "file")
    keys.optional("format", "")
    vectors = keys.take("vectors")
    keys.done()
    if not isinstance(vectors, list):
        raise VectorError("file: 'vectors' is not a list")
    fixtures = {one["id"]: one["given"] for one in vectors if _has_given(one) and one.get("kind") == FIXTURE}
    return [_written_out(one, fixtures) if _has_given(one) else one for one in vectors]


def rule_vector_run(vector: Any) -> None:
    """Run one vector and compare the results.

    Raises:
        VectorError: a comparison fails, or the vector is invalid.
    """
    keys = Keys(vector, "vector")
    for note in ("id", "source", "invented", "notes"):
        keys.optional(note, None)
    game, options = str(keys.take("game")), keys.optional("options", {})
    given, actions, expect = keys.take("given"), keys.take("actions"), keys.take("expect")
    checkpoints = _checkpoints(keys.optional("checkpoints", []), len(actions))
    fixture = keys.optional("kind", "") == FIXTURE
    keys.done()
    if fixture:
        _check_fixture(game, {**options, **given}, [*actions, *expect])
    else:
        _play(_scene(game, options, Keys(given, "given")), actions, checkpoints, expect)


def _play(scene: Scene, actions: Any, checkpoints: Mapping[int, Mapping[str, Any]], expect: Any) -> None:
    for at, action in enumerate(actions):
        where = f"action {at}"
        try:
            _act(scene, Keys(action, where))
        except IllegalAction as error:
            raise VectorError(f"{where}: {error}") from error
        _compare(scene, checkpoints.get(at, {}), f"after {where}")
    _compare(scene, expect, "expect")


def _has_given(vector: Any) -> bool:
    return isinstance(vector, dict) and isinstance(vector.get("given"), dict) and isinstance(vector.get("id"), str)


def _written_out(vector: dict[str, Any], fixtures: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return ``vector`` with ``"deck": "LA-deck"`` replaced by the deck that the fixture LA-deck gives."""
    named = {
        key: fixtures[value][key]
        for key, value in vector["given"].items()
        if isinstance(value, str) and key in fixtures.get(value, {})
    }
    return vector | {"given": vector["given"] | named}


def _check_fixture(game: str, options: Mapping[str, Any], rest: list[Any]) -> None:
    if rest:
        raise VectorError("a fixture has neither actions nor anything to expect")
    try:
        ruleset = ruleset_find_or_current(game)
        ruleset.validate(ruleset.seats.start, options)
    except (UnknownRuleset, OptionError) as error:
        raise VectorError(str(error)) from error


def _scene(game: str, options: Any, given: Keys) -> Scene:
    try:
        ruleset = ruleset_find_or_current(game)
        players, number = given.optional("players", None), given.optional("n_players", None)
        full = ruleset.validate(number if players is None else len(players), options)
        players = [f"player {seat}" for seat in range(number)] if players is None else players
        maker = GAMES[ruleset.name].scene
        if maker is None:
            raise VectorError(f"the game {ruleset.name!r} has no vectors")
        scene = maker(ruleset, full, players, given)
    except (UnknownRuleset, OptionError, SeatError) as error:
        raise VectorError(str(error)) from error
    given.done()
    return scene


def _act(scene: Scene, action: Keys) -> None:
    kind = action.take("type")
    act = scene.acts().get(kind)
    if act is None:
        raise VectorError(f"{action.where}: unknown action {kind!r}")
    act(action)
    action.done()


def _compare(scene: Scene, facts: Mapping[str, Any], where: str) -> None:
    known = scene.facts()
    for key, wanted in facts.items():
        if key not in known:
            raise VectorError(f"{where}: unknown key {key!r}")
        found = known[key](wanted)
        if found != wanted:
            raise VectorError(f"{where}: {key} should be {wanted!r}, is {found!r}")


def _checkpoints(listed: Any, actions: int) -> dict[int, dict[str, Any]]:
    checkpoints: dict[int, dict[str, Any]] = {}
    for one in listed:
        facts = dict(one)
        at = facts.pop("after_action", None)
        if type(at) is not int or not 0 <= at < actions:
            raise VectorError(f"checkpoints: 'after_action' {at!r} names no action")
        checkpoints.setdefault(at, {}).update(facts)
    return checkpoints
