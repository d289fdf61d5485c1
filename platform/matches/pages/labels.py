"""Labels for codes, and sentences about the length of a series, in the reader's language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import avoid_wrapping
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.catalogue import GAMES, catalogue_has_ruleset, find
from games.protocol import Verdict
from games.ruleset import POINTS
from matches.models import Match
from matches.referee import AboveThreshold, StopReason, ThreeAnswers, stopping_rule_of
from matches.referee.costs import series_costs

VERDICTS: Final[dict[str, Promise]] = {
    Verdict.CRASHED: _("crashed"),
    Verdict.KILLED: _("was killed by a signal"),
    Verdict.FORBIDDEN_CALL: _("made a forbidden system call"),
    Verdict.EXITED: _("exited"),
    Verdict.CPU_TIME: _("used too much processor time"),
    Verdict.WALL_TIME: _("took too long"),
    Verdict.SLEPT: _("slept"),
    Verdict.OFF_TURN: _("used the processor during another bot's turn"),
    Verdict.MEMORY: _("used too much memory"),
    Verdict.MALFORMED: _("sent unreadable data"),
    Verdict.OVERSIZE: _("sent too much"),
    Verdict.UNSOLICITED: _("sent a message out of turn"),
    Verdict.PROTOCOL: _("violated the protocol"),
    Verdict.NOT_READING: _("did not read its messages"),
    Verdict.ILLEGAL_ACTION: _("played an illegal action"),
    Verdict.NO_ENTRY_POINT: _("defines neither act nor Bot"),
    Verdict.IMPORT_ERROR: _("could not be imported"),
    Verdict.FORFEITED: _("had forfeited the match"),
}


def match_verdict_label(code: str) -> str:
    """Return a verdict in the reader's language, or ``code`` itself if this release has no label for it."""
    return str(VERDICTS.get(code, _plain(code)))


def game_label(game: str) -> str:
    """Return the title of a game. ``game`` is its name, or the id of a ruleset.

    Return the name if the game is not installed.
    """
    name = game.partition("/")[0]
    return gettext(GAMES[name].title) if name in GAMES else name


def game_points_label(ruleset: str) -> str:
    """Return what the game of a ruleset calls its own points, in the reader's language, such as "Worms".

    If the game has no name for them, return "Game points", because "Points" are those of standings.
    """
    called = find(ruleset).points if catalogue_has_ruleset(ruleset) else POINTS
    return gettext("Game points") if called == POINTS else gettext(called)


def reason_label(ruleset: str, code: str) -> str:
    """Return why a game of this ruleset ended, in the reader's language. Without a label, return ``code`` itself."""
    game = GAMES.get(ruleset.partition("/")[0])
    words = game and game.reasons.get(code)
    return gettext(words) if words else _plain(code)


def match_tie_break_label(ruleset: str, code: str) -> str:
    """Return what separated seats with equal points in a game of this ruleset; "" if nothing did."""
    game = GAMES.get(ruleset.partition("/")[0])
    words = game and game.tie_breaks.get(code)
    return gettext(words) if words else _plain(code)


def _plain(code: str) -> str:
    return code.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a stopping rule is expected to cost if two bots differ by ``difference``.

    ``blocks`` and ``games`` are mean numbers. The answer is that one bot is ``better``, that the match is too ``close``
    to call, or that it is ``undecided``. These three fields are the chances of the answers.
    """

    difference: str
    blocks: str
    games: str
    better: str
    close: str
    undecided: str


def match_length_label(stopping: Mapping[str, Any], blocks: int) -> str:
    """Return the length of a series as pages announce it. ``stopping`` and ``blocks`` are the fields of ``Match``."""
    rule = stopping_rule_of(stopping)
    if rule is None:
        return ngettext("%(blocks)s deal", "%(blocks)s deals", blocks) % {"blocks": blocks}
    if isinstance(rule, AboveThreshold):
        sentence = gettext(
            "Ends as soon as the share of the first bot is shown to be above or below %(threshold)s, after "
            "%(blocks)s deals at most; the finding is wrong in at most %(error)s of matches"
        )
        return sentence % {"blocks": blocks, "threshold": _percent(rule.threshold), "error": _percent(rule.error)}
    if isinstance(rule, ThreeAnswers):
        sentence = gettext(
            "Ends as soon as one bot is shown to be better or the match too close to call, after %(blocks)s deals at "
            "most; of two equal bots, one is called better in at most %(error)s of matches, and a bot that takes "
            "%(better)s of the score is called too close in at most %(error)s"
        )
    else:
        sentence = gettext(
            "Ends as soon as it is decided which bot is better, after %(blocks)s deals at most; a bot that takes "
            "%(better)s of the score is mistaken for the worse one in at most %(error)s of matches"
        )
    values = sentence % {
        "blocks": blocks,
        "better": _percent(0.5 + rule.effect),
        "error": _percent(rule.error),
    }
    if not rule.luck_value:
        return values
    luck = gettext("Decided by luck-adjusted scores, measured by the value %(value)s") % {"value": rule.luck_value}
    return f"{values}. {luck}"


def match_cost_label_rows(stopping: Mapping[str, Any], blocks: int) -> list[Cost]:
    """Return the costs for equal bots and for three differences.

    Return none if the rule does not have three answers. Also return none if it adjusts for luck: how much this saves
    depends on the game and the bots.
    """
    rule = stopping_rule_of(stopping)
    if not isinstance(rule, ThreeAnswers) or rule.luck_value:
        return []
    return [
        Cost(
            difference=gettext("%(better)s against %(worse)s")
            % {"better": _percent(0.5 + one.lead), "worse": _percent(0.5 - one.lead)}
            if one.lead
            else gettext("equal bots"),
            blocks=number_format(round(one.blocks)),
            games=number_format(round(2 * one.blocks)),
            better=_chance(one.better + one.worse),
            close=_chance(one.close),
            undecided=_chance(one.undecided),
        )
        for one in series_costs(rule, blocks)
    ]


def match_ending_label(match: Match, names: Sequence[str]) -> str:
    """Return why a sequential series ended; "" for any other match. ``names`` has the names of its seats."""
    rule = stopping_rule_of(match.stopping)
    if rule is None or not match.ending or match.llr is None:
        return ""
    values: dict[str, Any] = {"blocks": match.blocks_played, "bound": _decimal(rule.bound)}
    if match.ending == StopReason.FORFEITED:
        sentence = ngettext(
            "Stopped after %(blocks)s deal: a bot had forfeited the match",
            "Stopped after %(blocks)s deals: a bot had forfeited the match",
            match.blocks_played or 0,
        )
        return sentence % values
    if isinstance(rule, AboveThreshold):
        return _threshold_sentence(match, names[0], _percent(rule.threshold))
    if match.ending in (StopReason.FIRST, StopReason.SECOND):  # gsprt/1: negative if the second seat is better
        values |= {"bot": names[match.ending == StopReason.SECOND], "evidence": _decimal(abs(match.llr))}
        sentence = gettext(
            "Stopped after %(blocks)s deals: %(bot)s is better (evidence %(evidence)s; %(bound)s was needed)"
        )
        return sentence % values
    close = rule.close_bound if isinstance(rule, ThreeAnswers) else -rule.bound
    values |= {"close": _decimal(close), "evidence": _decimal(match.llr)}
    if match.ending == StopReason.TOO_CLOSE:
        sentence = gettext("Too close to call after %(blocks)s deals (evidence %(evidence)s; %(close)s was needed)")
    else:
        sentence = gettext(
            "Not decided after %(blocks)s deals, the maximum (evidence %(evidence)s; %(bound)s or %(close)s was needed)"
        )
    return f"{sentence % values}. {gettext('The score does not show which bot is better.')}"


def match_ending_has_evidence(match: Match) -> bool:
    """Return whether ``match_ending_label`` names the evidence, which is the log-likelihood ratio of the rule."""
    is_forfeit = match.ending == StopReason.FORFEITED
    counts = bool(match.ending) and match.llr is not None and not is_forfeit
    return counts and not isinstance(stopping_rule_of(match.stopping), AboveThreshold)


def _threshold_sentence(match: Match, bot: str, threshold: str) -> str:
    blocks = match.blocks_played or 0
    sentences = {
        StopReason.FIRST: ngettext(
            "Stopped after %(blocks)s deal: %(bot)s takes more than %(threshold)s of the score",
            "Stopped after %(blocks)s deals: %(bot)s takes more than %(threshold)s of the score",
            blocks,
        ),
        StopReason.SECOND: ngettext(
            "Stopped after %(blocks)s deal: %(bot)s takes less than %(threshold)s of the score",
            "Stopped after %(blocks)s deals: %(bot)s takes less than %(threshold)s of the score",
            blocks,
        ),
    }
    undecided = ngettext(
        "Not decided after %(blocks)s deal whether %(bot)s takes more or less than %(threshold)s of the score",
        "Not decided after %(blocks)s deals whether %(bot)s takes more or less than %(threshold)s of the score",
        blocks,
    )
    values = {"blocks": blocks, "bot": bot, "threshold": threshold}
    return sentences.get(StopReason(match.ending), undecided) % values


def match_open_label(ending: str, blocks: int) -> str:
    """Return a sentence that a series has not shown which bot is better; "" if the series has another ending."""
    sentences = {
        StopReason.TOO_CLOSE: ngettext(
            "too close to call after %(blocks)s deal", "too close to call after %(blocks)s deals", blocks
        ),
        StopReason.UNDECIDED: ngettext(
            "not decided after %(blocks)s deal", "not decided after %(blocks)s deals", blocks
        ),
    }
    return sentences[StopReason(ending)] % {"blocks": blocks} if ending in sentences else ""


def _chance(share: float) -> str:
    """Return a chance in percent. It is never 0 % for a possible event, and never 100 % for an uncertain one."""
    whole = round(share, 2)
    return avoid_wrapping({0.0: "< 1 %", 1.0: "> 99 %"}.get(whole, _percent(whole)))


def _percent(share: float) -> str:
    return avoid_wrapping(f"{number_format(f'{100 * share:.4g}')} %")


def _decimal(value: float) -> str:
    """Return a number with two decimal places, truncated.

    A value below a bound must not look as if it had reached the bound.
    """
    return number_format(int(value * 100) / 100, 2)
