"""The messages of the cage. All sockets are SEQPACKET: a message is whole or absent, so there is no framing to attack.

Control channel: one tagged struct in each direction. The judge and the zygote (or launcher) trust each other. Box
channel, between the judge and one bot: a message is a kind byte, a tag of eight bytes, and a declared type as msgpack.
An answer must repeat the tag of the request.
"""

import msgspec

from . import entry, failure


class _Message(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True, tag=True):
    pass


# --- control channel, judge to zygote or launcher


class Boot(_Message, frozen=True):
    """The settings of all boxes: their root, its readable folders, where to import from, and what to import first."""

    root: str  # the machine's copy of library and kit; if "", the zygote makes its own
    readable: list[str]
    path: list[str]
    preload: list[str]
    switch_user: bool  # bots get ids of their own
    walls: list[str]  # the command that starts a box; empty if the zygote forks the boxes


class Spawn(_Message, frozen=True):
    """Order another box. It must contain nothing private, because later bots inherit the zygote's heap."""

    box: int
    user: int  # 0: all share one id
    memory: int  # bytes that the bot may map in addition to what it inherits
    seconds: int  # CPU seconds after which the kernel kills the process: a backstop to the judge's stricter clocks


class Walled(_Message, frozen=True):
    """Sent by the launcher to a box behind bwrap, with its order and the descriptors that came with the order."""

    order: Spawn
    baseline: int  # bytes mapped before a bot does anything


# --- control channel, zygote or launcher to judge


class Settled(_Message, frozen=True):
    """The process runs, in its user namespace if it has one, and waits for its id map and its boot message."""


class Ready(_Message, frozen=True):
    """The zygote or launcher accepts orders."""


class WireRefused(_Message, frozen=True):
    """The zygote or launcher could not build a layer, and ends."""

    layer: str
    error: str


class Spawned(_Message, frozen=True):
    """The box's process exists; its pidfd comes with this message."""

    box: int


class Unspawned(_Message, frozen=True):
    """The box's process could not be created. The zygote or launcher goes on."""

    box: int
    error: str


class Exited(_Message, frozen=True):
    """The box's process was reaped, with its wait status and CPU seconds."""

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
    """The set-up of one bot. The contents of the files follow in the same order, in messages of at most CHUNK bytes."""

    files: list[BoxFile]
    table: dict[str, object]
    seed: int
    action_bytes: int


# --- box channel, box to judge

LOCKED = b"L"  # every layer is on; from here on, nothing from this process is trusted
BROKEN = b"E"  # a layer failed: a platform fault. Believed only before LOCKED
READY = b"R"
READY_ACT_IDLE = b"I"  # the class Bot is ready, and a function act beside it is unused
ANSWER = b"A"  # with the action as a text, or a list of the action and its explanation: see entry.Answer
FAILURE = b"X"


class WireFailure(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """What the runner reports about an exception. A bot can forge it, but the fault only counts against that bot."""

    verdict: str
    exception: str
    line: int | None
    detail: str


def message_cap(action_bytes: int) -> int:
    """Return the maximum length of a message from a box. A longer message is a fault."""
    explained = 4 * (entry.NOTE_SENT + entry.MARKS_SENT * (entry.MARK_SENT + 2))
    return 512 + max(failure.DETAIL_CAP, explained) + action_bytes
