"""Links about what no result follows from: words, times to come, and who sees what."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.beats import Tempo
from matches.proof.reading import OPTIONAL, Fields, ProofError, digest, moment, read
from tournaments.formats.registry import FORMATS
from tournaments.proof.state import ChainState

PLACE_MOST: Final = 5000
EDITED: Final[Fields] = {
    "description": str,
    "entries_close_at": (str, OPTIONAL),
    "first_round_at": (str, OPTIONAL),
    "round_minutes": int,
    "time_zone": str,
    "has_round_review": bool,
    "publication": str,
}
PLANNED: Final[Fields] = {
    "stage": int,
    "place": int,
    "starts_at": (str, OPTIONAL),
    "premieres_at": (str, OPTIONAL),
    "tempo": str,
}
PUBLICATIONS: Final = frozenset({"everyone", "participants", "hidden"})
TEMPOS: Final = frozenset({"", *(tempo.value for tempo in Tempo)})


def edited(state: ChainState, number: int, content: object) -> None:
    """Read an edit of what no result follows from: only its form is checked, and that it changes something."""
    names = content if isinstance(content, dict) else {}
    found = read(content, {name: EDITED[name] for name in names if name in EDITED}, "an edit")
    if not found or any(state.edited.get(name, ...) == value for name, value in found.items()):
        raise ProofError("an edit changes nothing")
    if "description" in found:
        digest(found["description"], "the description's digest")
    _times(found, ("entries_close_at", "first_round_at"))
    if found.get("round_minutes", 0) < 0 or found.get("publication", "everyone") not in PUBLICATIONS:
        raise ProofError("an edit is of minutes, or to readers, that cannot be")
    state.edited |= found


def planned(state: ChainState, number: int, content: object) -> None:
    """Read when a round is to begin and to be shown; nothing follows from it."""
    found = read(content, PLANNED, "the plan of a round")
    of_stage, place = found["stage"], found["place"]
    stage = state.stages.get(of_stage)
    if stage is None or not 0 <= place <= PLACE_MOST or (place == 0 and not FORMATS[stage.format].has_bracket):
        raise ProofError("a round is planned that there cannot be")
    if found["tempo"] not in TEMPOS or (found["premieres_at"] is None) != (found["tempo"] == ""):
        raise ProofError("a premiere is planned without a known tempo")
    _times(found, ("starts_at", "premieres_at"))
    if state.plans.get((of_stage, place)) == found:
        raise ProofError("the same plan is told twice")
    state.plans[of_stage, place] = found


def _times(found: Mapping[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if (value := found.get(name)) is not None:
            moment(value, f"{name!r}")


HANDLERS: Final[Mapping[str, Callable[[ChainState, int, object], None]]] = {"edited": edited, "planned": planned}
