"""Panels: parts of a page that come from apps above the page's own.

A page has named slots. Apps above register panels for them when they start, so that no page imports from above. Slots:

- ``bot.notices``, ``bot.first``, ``bot.stats``, ``bot.lead`` and ``bot.contests``: of a ``bots.Bot``, what its author
  must know, what its author has just found out, terms of its list of figures, what everyone wants to see first, and
  what stands below its versions;
- ``bot.current``: the same, to its author where its current version has passed its check;
- ``author.next``: of an author's bots, or of one, what the author does next; where the page knows how many matches of a
  bot are finished for everyone to see, it says so as ``finished``;
- ``version.check``: of a ``bots.BotVersion``, below its verdict;
- ``tournament.series`` and ``tournament.manage``: of a ``tournaments.Tournament``, what it is part of, behind its
  kicker, and further links of the box in which it is managed;
- ``tournaments.actions``: of a ``User`` or a visitor, what stands beside the heading of the list of tournaments;
- ``league.contests``: of a ``leagues.League``, what is made of its ladder;
- ``tournament.announcements``, ``league.announcements``, ``series.announcements`` and ``group.announcements``: of the
  contest, series or group, what its organisers have announced;
- ``group.next``: of a ``groups.Group``, what a member does next;
- ``group.counts``: of a ``groups.Group`` in the reader's list ``mine``, how many events it has;
- ``group.contests``: of a ``groups.Group``, its tournaments and leagues, to its members;
- ``person.lead``: of the bots on the profile of their author, what everyone wants to see first;
- ``team.bots``: of a ``teams.Team``, its bots;
- ``organiser.contests``: of a ``User`` who may organise, what there is to create;
- ``match.context``, ``match.first``, ``match.contest`` and ``match.facts``: of a ``matches.Match``, in the line above
  its replay, between this and the replay, below the replay, and among its facts.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from django.template import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

Describe: TypeAlias = Callable[[Context, Any], dict[str, Any]]

_PANELS: Final[dict[str, list[tuple[str, Describe]]]] = defaultdict(list)


def panel_register(slot: str, template: str, describe: Describe) -> None:
    """Render ``template`` in ``slot``. ``describe`` returns its context from the page's context and the page's object.

    Panels are rendered in the order of registration. A panel that is registered twice is rendered once.
    """
    if (template, describe) not in _PANELS[slot]:
        _PANELS[slot].append((template, describe))


def panels_drawn(slot: str, context: Context, shown: Any) -> SafeString:
    """Render all panels of ``slot`` for ``shown``."""
    request = context.get("request")
    drawn = (render_to_string(name, describe(context, shown), request) for name, describe in _PANELS[slot])
    return mark_safe("".join(drawn))  # noqa: S308  each is a template's output
