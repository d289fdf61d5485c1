"""What the referee says of a bot's fault, in the reader's language.

Reports keep the referee's English beside what comes from the bot: a traceback, what it printed. Its sentences are
recognised when they are read and translated; whatever else there is stays as it is.
"""

import re
from typing import Final

from bots.words import gettext
from bots.words import gettext_noop as _

# Each stands alone in a line, or behind the name of one of ``NAMES``.
SENTENCES: Final = (
    _("%(used)s s of CPU time; %(allowed)s s are allowed at the start"),
    _("%(used)s s of CPU time; %(allowed)s s are allowed for one action"),
    _("%(used)s s of time on the clock; %(allowed)s s are allowed at the start"),
    _("%(used)s s of time on the clock; %(allowed)s s are allowed for one action"),
    _("%(used)s s of CPU time with %(left)s s left of the %(bank)s s for the game"),
    _("%(used)s s of time on the clock with %(left)s s left of the %(bank)s s for the game"),
    _("%(used)s s of CPU time with %(left)s s left of the %(bank)s s for the game; it has slept %(slept)s s"),
    _("%(used)s s of time on the clock with %(left)s s left of the %(bank)s s for the game; it has slept %(slept)s s"),
    _("%(used)s s of CPU time while it was not its turn"),
    _("%(used)s s of CPU time in all"),
    _("killed for its memory: more than %(most)s MiB, and what the kernel holds for it"),
    _("the bot's process ended itself with code %(code)s"),
    _("the bot's process crashed: %(signal)s (signal %(number)s)"),
    _("the bot made a system call that no bot needs"),
    _("the bot does not read what it is sent"),
    _("the bot closed its channel, or sent an empty message"),
    _("a message of %(size)s bytes; at most %(most)s are read"),
    _("a second answer to the turn before"),
    _("an answer without this turn's tag"),
    _("the action has %(size)s bytes; at most %(most)s are allowed"),
    _("the answer has %(size)s characters; at most %(most)s bytes are allowed"),
    _("act must return text, one of view['actions']; it returned %(kind)s"),
    _("bot.py defines neither act(view) nor class Bot"),
    _("class Bot in bot.py has no method act(self, view)"),
    _("class Bot in bot.py has no method act(self, view); the function act beside it is not asked"),
    _("%(action)s is not legal here; legal: %(legal)s"),
    _("When its time was up, it was here (most recent call last):"),
    _("The rule: a bot is one thread: threads, and asyncio.run, do not work in the cage."),
    _("The rule: a bot is one process: it cannot start others (os.fork, subprocess, multiprocessing)."),
    _("The rule: there is no network in the cage, not even a socket."),
    _("The rule: nothing can be written in the cage; what a bot wants to keep for its game it keeps in memory."),
    _("The rule: a bot can read its own files, beside bot.py, and Python's library: Path(__file__).parent / 'name'."),
    _("The rule: a bot can import Python's standard library, numpy and its own files; 'Write a bot' has the list."),
    _("The rule: there are no time zone files in the cage; datetime.timezone works."),
    _("The rule: the cage does not allow this call to the operating system."),
)
NAMES: Final = re.compile(r"(?:sandbox\.inside\.entry\.)?(?:NoEntryPointError|NotTextError|TooLongError): ")
_PLACE: Final = re.compile(r"%\\\((\w+)\\\)s")
_FORMS: Final = {sentence: re.compile(_PLACE.sub(r"(?P<\1>.{1,2000}?)", re.escape(sentence))) for sentence in SENTENCES}


def fault_sentence(detail: str) -> str:
    """Return the detail of a fault with the referee's sentences in the reader's language."""
    return "\n".join(map(_line, detail.split("\n")))


def _line(line: str) -> str:
    name = NAMES.match(line)
    text = line[name.end() :] if name else line
    for sentence, form in _FORMS.items():
        if found := form.fullmatch(text):
            return (name[0] if name else "") + gettext(sentence) % found.groupdict()
    return line
