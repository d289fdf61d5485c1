"""The messages of the cage. All sockets are SEQPACKET: a message is whole or absent, so there is no framing to attack.

Control channel (judge and zygote, or launcher, which trust each other): one tagged struct each way.
Box channel (judge and one bot): a kind byte, eight bytes of tag that an answer must repeat, then msgpack of a declared
type.
"""

import msgspec

from . import entry, failure


class _Message(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True, tag=True):
    pass


# --- control channel, judge to zygote or launcher


class Boot(_Message, frozen=True):
    """The world of all boxes: their root, the folders in it to read, where to import from, what to import first."""

    root: str  # the machine's copy of library and kit; "": the zygote makes its own
    readable: list[str]
    path: list[str]
    preload: list[str]
    switch_user: bool  # bots get ids of their own
    walls: list[str]  # the command that makes a box of its own; none where the zygote forks them


class Spawn(_Message, frozen=True):
    """One more box. Nothing private may be in here: later bots inherit the zygote's heap, freed blocks included."""

    box: int
    user: int  # 0: the only id there is
    memory: int  # bytes the bot may map on top of what it inherits
    seconds: int  # of CPU, after which the kernel kills: a backstop, the judge's clocks are stricter


class Walled(_Message, frozen=True):
    """Launcher to a box that stands alone: what becomes of it. What was passed with the order comes along."""

    order: Spawn
    baseline: int  # bytes mapped before a bot does anything


# --- control channel, zygote or launcher to judge


class Settled(_Message, frozen=True):
    """The process is there, in its user namespace if it has one, and waits for its id map and its boot."""


class Ready(_Message, frozen=True):
    """It takes orders."""


class WireRefused(_Message, frozen=True):
    """It could not build a layer, and ends."""

    layer: str
    error: str


class Spawned(_Message, frozen=True):
    """The box's process exists; its pidfd comes with this message."""

    box: int


class Unspawned(_Message, frozen=True):
    """The box's process could not be made; it goes on all the same."""

    box: int
    error: str


class Exited(_Message, frozen=True):
    """The box's process was reaped: wait status, CPU seconds."""

    box: int
    status: int
    cpu: float


ZygoteMessage = Settled | Ready | WireRefused | Spawned | Unspawned | Exited

# --- box channel, judge to box

SETUP = b"S"
OBSERVE = b"O"
GAME_OVER = b"G"
TAG = 8  # bytes
HEAD = 1 + TAG
CHUNK = 60_000  # bytes of a file in one message: below every default socket buffer
OBSERVATION_CAP = 1 << 18


class BoxFile(msgspec.Struct, array_like=True, frozen=True):
    name: str
    size: int


class BoxSetup(msgspec.Struct, array_like=True, frozen=True):
    """All that is the bot's own. The files' contents follow in their order, in messages of at most CHUNK bytes."""

    files: list[BoxFile]
    table: dict[str, object]
    seed: int
    action_bytes: int


# --- box channel, box to judge

LOCKED = b"L"  # every layer is on; from here on nothing that comes from this process is trusted
BROKEN = b"E"  # a layer failed: ours to mend, never the bot's fault. Only believed before LOCKED
READY = b"R"
READY_ACT_IDLE = b"I"  # so is its class Bot, beside which a function act is not asked
ANSWER = b"A"  # with the action, as a text, or a list of it and what the bot says of it: see entry.Answer
FAILURE = b"X"


class WireFailure(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """What the runner says of an exception. The bot may have forged it: it only ever speaks against its own bot."""

    verdict: str
    exception: str
    line: int | None
    detail: str


def message_cap(action_bytes: int) -> int:
    """Return the longest message a box may send: more is a fault, whatever it says."""
    explained = 4 * (entry.NOTE_SENT + entry.MARKS_SENT * (entry.MARK_SENT + 2))
    return 512 + max(failure.DETAIL_CAP, explained) + action_bytes
