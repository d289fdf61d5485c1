"""Panels: parts of a page that come from apps above the page's own.

A page has named slots. Apps in higher rooms register panels for them when they start, so that no page imports from a
higher room. The slots, with the object that a panel gets:

- ``bot.notices``, ``bot.first``, ``bot.stats``, ``bot.lead`` and ``bot.contests``: a ``bots.Bot``; warnings for its
  author, news for its author, terms of its list of figures, what interests everyone most, and what is below its
  versions;
- ``bot.current``: a ``bots.Bot`` whose current version has passed its check, for its author;
- ``bots.row``: a ``bots.Bot`` of a list; its rating and rank;
- ``author.next``: an author's bots, or one of them; what the author can do next. If the page knows the number of public
  finished matches of a bot, it is in the context as ``finished``;
- ``version.check``: a ``bots.BotVersion``; below its verdict;
- ``tournament.series`` and ``tournament.manage``: a ``tournaments.Tournament``; the series that contains it, after its
  kicker, and further links of the organisers' box;
- ``tournaments.actions``: a ``User`` or visitor; beside the heading of the list of tournaments;
- ``league.contests``: a ``leagues.League``; contests made of its ladder;
- ``tournament.announcements``, ``league.announcements``, ``series.announcements`` and ``group.announcements``: the
  contest, series or group; the announcements of its organisers;
- ``group.next``: a ``groups.Group``; what a member can do next;
- ``group.counts``: a ``groups.Group`` of the user's list ``mine``; its number of events;
- ``group.contests``: a ``groups.Group``; its tournaments and leagues, for its members;
- ``person.lead``: the bots on the profile of their author; what interests everyone most;
- ``team.bots``: a ``teams.Team``; its bots;
- ``organiser.contests``: a ``User`` who may organise; what there is to create;
- ``match.context``, ``match.first``, ``match.contest`` and ``match.facts``: a ``matches.Match``; in the line above its
  replay, between this line and the replay, below the replay, and among its facts.
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
    """Render all panels of ``slot`` for the object ``shown``."""
    request = context.get("request")
    drawn = (render_to_string(name, describe(context, shown), request) for name, describe in _PANELS[slot])
    return mark_safe("".join(drawn))  # noqa: S308  each is a template's output
