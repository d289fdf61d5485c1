"""The terms of the glossary, for its page and for ``docs/reference/glossary.md``, in alphabetical order.

``TERMS`` has the name and the sentence of each term. The tie-breaks are added from ``TIE_BREAKS``.
"""

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from tournaments.standings import TIE_BREAKS

GLOSSARY: Final = Path(settings.BASE_DIR) / "docs/reference/glossary.md"
HEADER: Final = """# Glossary

This page defines the terms of the site's pages, the API and the documents, in one sentence each. A site shows the same
list at `/docs/glossary/`, translated. `manage.py write_glossary` writes this file from
`platform/arena/site/glossary.py`.

| term | meaning |
|---|---|
"""


@dataclass(frozen=True, slots=True)
class Term:
    """A term in the active language; ``anchor`` is the same in all languages."""

    anchor: str
    name: str
    sentence: str

    @property
    def initial(self) -> str:
        """The letter under which it is listed."""
        return glossary_sort_key(self.name)[0].upper()


def glossary_terms() -> list[Term]:
    """Return every term with its sentence, sorted by name in the active language."""
    with override("en"):
        anchors = [slugify(str(name)) for name, _sentence in TERMS]
    found = [Term(anchor, str(name), str(meaning)) for anchor, (name, meaning) in zip(anchors, TERMS, strict=True)]
    found += [
        Term(
            slugify(tie_break.name),
            gettext(tie_break.name),
            gettext("Tie-break: %(sentence)s") % {"sentence": gettext(tie_break.sentence)},
        )
        for tie_break in TIE_BREAKS.values()
    ]
    return sorted(found, key=lambda term: glossary_sort_key(term.name))


def glossary_sort_key(name: str) -> str:
    """Return a key that sorts names without case and accents."""
    return "".join(one for one in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(one))


def glossary_markdown() -> str:
    """Return the English glossary as a Markdown document."""
    with override("en"):
        rows = [f'| <a id="{term.anchor}"></a>{term.name} | {term.sentence} |' for term in glossary_terms()]
    return HEADER + "\n".join(rows) + "\n"


TERMS: Final[tuple[tuple[str | Promise, str | Promise], ...]] = (
    (_("action"), _("An action is one of the texts from which a bot chooses its answer; the view lists them.")),
    (_("alias"), _("An alias is the name of a member in a group and its events, in place of the user name.")),
    (_("arbiter"), _("An arbiter is a person whom the organiser allows to decide on rulings in one tournament.")),
    (
        _("attempt"),
        _(
            "An attempt is one try of a worker to play a match; if the platform fails during it, nothing of it counts "
            "and the match is played again."
        ),
    ),
    (
        _("benched"),
        _("A benched bot gets no matches in its league until another accepted version of it becomes current."),
    ),
    (_("bot"), _("A bot is a program that plays one game on this site; it belongs to an author and has versions.")),
    (_("bracket"), _("A bracket is the plan of a knockout: which winner meets which other winner in the next round.")),
    (_("bye"), _("A bye is a round in which a bot has no opponent and gets the points that were announced for it.")),
    (
        _("cage"),
        _(
            "The cage is the sandbox in which uploaded bots run: without network, without the files of the machine, "
            "with limits on time and memory."
        ),
    ),
    (
        _("chain"),
        _(
            "The chain of a tournament is the list of all facts that determine its results; each link contains the "
            "digest of the previous link."
        ),
    ),
    (
        _("deal"),
        _(
            "A deal is one seed, played once in every rotation of the seats, so that each bot has the luck of each "
            "seat; the API and the commands call it a block."
        ),
    ),
    (
        _("decision"),
        _("A decision is one answer of a bot to a view; decisions are counted for each seat of a game, from 1."),
    ),
    (
        _("digest"),
        _("A digest is a short number computed from data (here SHA-256); it changes if any of the data changes."),
    ),
    (_("disqualified"), _("A disqualified bot was removed from a tournament by a ruling.")),
    (
        _("division"),
        _(
            "A division is a part of a league whose bots meet only each other during a season; at its end, some bots "
            "are promoted and some relegated."
        ),
    ),
    (_("draw"), _("The draw of a round decides which bots meet at which table, by the rules of the format.")),
    (_("entry"), _("An entry is a bot that takes part in a tournament.")),
    (
        _("evidence"),
        _(
            "Evidence is a number (log-likelihood ratio, LLR) that says whether the results of a match suggest that "
            "the leading bot is better or that both bots are equally good: 0 suggests neither, a negative value "
            "suggests equal bots, and with 3.7 the results are 40 times as likely if the leading bot is better (e to "
            "the power of 3.7 is 40)."
        ),
    ),
    (
        _("fault"),
        _(
            "A fault is an error of a bot in a game: a crash, too much time or memory, or an answer that the rules do "
            "not allow."
        ),
    ),
    (
        _("float"),
        _("A float is a pairing in a Swiss between bots with different points: one floats down, the other floats up."),
    ),
    (
        _("forfeit"),
        _("A forfeit is the loss of a whole match by a bot with too many faults in it, whatever its score."),
    ),
    (
        _("format"),
        _(
            "The format of a stage says who meets whom: round robin, Swiss, FIDE Dutch, single or double elimination, "
            "or heats."
        ),
    ),
    (_("frame"), _("A frame is one step of a game as a viewer sees it; the replay shows frame after frame.")),
    (_("freeze"), _("The freeze fixes which version each entry plays with; it happens when entries close.")),
    (
        _("game of a match"),
        _("A game is one play of the rules from the first action to the last; a match has several."),
    ),
    (
        _("game points"),
        _("Game points are what the rules of a game count, such as worms; they decide the places in a game."),
    ),
    (
        _("head"),
        _(
            "The head of a chain is the digest of its last link; a reader who notes it can check later that no "
            "earlier link was changed."
        ),
    ),
    (_("heat"), _("A heat is a match of a knockout at a table of three or more, from which the best bots advance.")),
    (
        _("held"),
        _("A held match waits for a decision of its organiser or staff, because too many attempts to play it failed."),
    ),
    (_("house bot"), _("A house bot is a bot that comes with the site; its file can be read and downloaded.")),
    (
        _("interval"),
        _("The interval of a rating, drawn as a bar, is the range that contains the true strength in 95 of 100 cases."),
    ),
    (
        _("knockout"),
        _("A knockout is a format in which a bot that loses is out; in a double elimination after the second loss."),
    ),
    (_("ladder"), _("A ladder is the list of the bots of a league in the order of their ratings.")),
    (
        _("league"),
        _(
            "A league is a permanent contest: bots join once, the site chooses matches all the time, and seasons "
            "follow each other."
        ),
    ),
    (
        _("luck"),
        _(
            "The luck of a contest is the random data from which its draws and seeds are computed: a secret, the "
            "frozen entries and the nonces."
        ),
    ),
    (
        _("luck of a game"),
        _(
            "The luck of a game is what dice and cards contributed to its result, measured by how much they changed "
            "the expected share of each bot."
        ),
    ),
    (_("match"), _("A match is a series of deals between the same bots, and the unit that counts in standings.")),
    (
        _("nonce"),
        _(
            "A nonce is a text that an entrant, an arbiter or the organiser adds to the random data of a contest "
            "between the freeze and the start."
        ),
    ),
    (_("organiser"), _("An organiser creates and runs tournaments and leagues.")),
    (
        _("place"),
        _("The place of a bot in a game is its position at the end of it: 1 is the best, and bots that tie share one."),
    ),
    (
        _("points"),
        _(
            "Points order the standings: one for a match won, half for a draw; at larger tables the share of "
            "opponents that were beaten."
        ),
    ),
    (
        _("proof"),
        _(
            "A proof is a file with which anyone can check a finished contest: draw the rounds, play the games and "
            "compute the standings again."
        ),
    ),
    (
        _("provisional"),
        _(
            "A provisional rating is not yet reliable, because it is based on too few deals or its interval is too "
            "wide."
        ),
    ),
    (_("queue"), _("The queue is the list of matches that wait for a free worker.")),
    (
        _("rank"),
        _("A rank is a position in standings, on a ladder or by rating; bots that cannot be distinguished share one."),
    ),
    (
        _("rating"),
        _(
            "A rating is an estimate of a bot's strength from all its games: 1500 is the average newcomer, 400 points "
            "more are odds of ten to one."
        ),
    ),
    (
        _("record"),
        _(
            "A record is a game in a file: its seed, its options and all actions, from which everything else can be "
            "computed."
        ),
    ),
    (
        _("refit"),
        _(
            "A refit computes the ratings of a ladder from all results of the season; it follows within a minute after "
            "new results."
        ),
    ),
    (_("rematch"), _("A rematch is a pairing of two bots that have met before in the same tournament.")),
    (_("replay of a game"), _("A replay shows a finished game step by step.")),
    (
        _("rotation"),
        _("A rotation is one seating of the bots at a table; in the next rotation, each bot sits one seat further."),
    ),
    (_("round"), _("A round is the part of a stage in which every bot plays at most one match.")),
    (_("round robin"), _("A round robin is a format in which every bot meets every other.")),
    (_("ruleset"), _("A ruleset is a game with a version of its rules, such as pickomino/1.")),
    (
        _("ruling"),
        _(
            "A ruling is a decision of the organiser or an arbiter that changes a tournament; it is shown in a public "
            "log and can be taken back."
        ),
    ),
    (
        _("score"),
        _(
            "The score of a match is the sum over its games of the share of opponents that the bot beat; a tie with an "
            "opponent counts half."
        ),
    ),
    (
        _("season"),
        _("A season is one run of a league from its start to its end, with its own ladder and its own secret."),
    ),
    (_("season entry"), _("A season entry is the version of a bot that is on the ladder of a season.")),
    (_("seat"), _("A seat is a place at a table, named by a letter; the rules say which seat begins.")),
    (
        _("secret"),
        _(
            "The secret of a contest is a random number that is published at the end; its SHA-256 is published at the "
            "beginning."
        ),
    ),
    (_("seed in a bracket"), _("The seed of a bot in a bracket is its starting position.")),
    (_("seed of a game"), _("The seed of a game is the number from which all its dice and cards are computed.")),
    (
        _("series"),
        _(
            "A series is the sequence of deals of a match; a sequential series ends as soon as its result is "
            "statistically decided."
        ),
    ),
    (
        _("stage"),
        _(
            "A stage is a part of a tournament that is played in one format; its best bots can advance to the next "
            "stage."
        ),
    ),
    (
        _("stand-in"),
        _(
            "A stand-in is the house bot that takes over a seat after a fault of its bot, so that the others can "
            "finish the game."
        ),
    ),
    (_("standings"), _("Standings are the list of the bots of a stage by points, then by tie-breaks.")),
    (
        _("Swiss"),
        _(
            "A Swiss is a format in which each round pairs bots with equal or nearly equal points, and nobody is "
            "eliminated."
        ),
    ),
    (_("table"), _("A table is a group of bots that play a match with each other in a round.")),
    (
        _("team"),
        _("A team is a group of people who own bots together; limits on an author apply to the team as a whole."),
    ),
    (
        _("tie-break"),
        _(
            "A tie-break is a criterion that orders bots with equal points; the organiser announces which ones count, "
            "and in which order."
        ),
    ),
    (
        _("too close to call"),
        _(
            "A sequential series is too close to call when it shows that neither bot is better by the announced "
            "difference."
        ),
    ),
    (_("tournament"), _("A tournament is a contest with a beginning and an end, played in one or more stages.")),
    (_("TRF"), _("TRF is FIDE's text format for the report of a tournament, offered for tables of two.")),
    (
        _("turn"),
        _(
            "A turn is what a player does until the next player acts, as the rules of the game say; a bot may have "
            "several decisions in a turn."
        ),
    ),
    (
        _("value of a game"),
        _(
            "The value of a game is a function that estimates, for each seat in a position, the share of opponents "
            "that this seat will beat; luck and decisions are measured with it."
        ),
    ),
    (_("verdict"), _("A verdict is the result of the check of an uploaded version, or the kind of a fault.")),
    (
        _("version"),
        _("A version is one upload of a bot; it never changes, and every match names the version that played."),
    ),
    (_("view"), _("A view is the data that a bot gets at its turn: everything that its seat may know of the game.")),
    (_("void"), _("A void match has no result, because of a ruling.")),
    (_("walkover"), _("A walkover is an advance in a bracket without a match, because there is no opponent.")),
    (
        _("withdrawn"),
        _(
            "A withdrawn bot has left a tournament: by its author, by the organiser, or because it forfeited two "
            "matches."
        ),
    ),
    (_("worker"), _("A worker is a process that plays matches or checks uploads.")),
)
