"""The stopping rules that there are, by the names under which matches store them."""

from collections.abc import Mapping
from typing import Any, Final

from matches.referee.stopping import Sequential, StoppingError, ThreeAnswers, ThreeAnswersLessLuck, TwoAnswers
from matches.referee.threshold import AboveThreshold

RULES: Final[Mapping[str, type[Sequential]]] = {
    rule.RULE: rule for rule in (TwoAnswers, ThreeAnswers, ThreeAnswersLessLuck, AboveThreshold)
}


def rule_of(data: Mapping[str, Any]) -> Sequential | None:
    """Return the stopping rule kept with a match; None for a fixed number of blocks, which is ``{}``. A new match that
    does not say which has ``ThreeAnswers``.

    Raises:
        StoppingError: it is neither.
    """
    if not data:
        return None
    name = data.get("rule", ThreeAnswers.RULE)
    if not isinstance(name, str) or name not in RULES:
        raise StoppingError("rule", name, ", ".join(RULES))
    return RULES[name].from_dict(data)
