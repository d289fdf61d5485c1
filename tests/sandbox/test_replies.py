"""Whatever bytes come from a box, they become an answer or the bot's fault, never an exception of ours."""

from collections import Counter
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import BotFault, Limits, Verdict
from sandbox.inside import wire
from sandbox.inside.entry import entry_answer_read
from sandbox.replies import reply_answer_read, reply_ready_read
from tests.examples import examples

from .conftest import VIEW, Start
from .noise import TAG, messages

LIMITS = Limits(output=100, action_bytes=32)
EARLIER = b"earlier!"
encode = msgspec.msgpack.encode


def answer(payload: bytes, tag: bytes = TAG) -> memoryview:
    return memoryview(wire.ANSWER + tag + payload)


def verdict_if_short(fault: BotFault) -> Verdict:
    assert len(fault.detail.encode()) < 5000
    return fault.verdict


def verdict_of(message: memoryview) -> Verdict | None:
    """The verdict on the message; None if it is an answer within the limits."""
    try:
        action, _ = reply_answer_read(message, TAG, EARLIER, LIMITS)
    except BotFault as fault:
        return verdict_if_short(fault)
    assert len(action.encode()) <= LIMITS.action_bytes
    return None


def test_an_answer_with_the_tag_is_read() -> None:
    assert reply_answer_read(answer(encode("go")), TAG, EARLIER, LIMITS) == ("go", None)


def test_explanations_are_cut_and_cleaned_from_any_sender() -> None:
    forged = encode(["go", "\u202eno\x1b[2J" * 400, ["m" * 900] * 99, float("nan")])
    action, explanation = reply_answer_read(answer(forged), TAG, EARLIER, LIMITS)
    assert action == "go"
    assert explanation is not None
    assert (len(explanation.note), explanation.marks, explanation.value) == (200, ("m" * 32,), None)
    assert explanation.note.isprintable()


def test_the_longest_explanation_fits_into_a_message() -> None:
    signs = "\N{PILE OF POO}"
    object_ = {"action": signs * 8, "note": signs * 10**4, "marks": [signs * 999] * 99, "value": 0.1}
    sent = answer(encode(entry_answer_read(object_, 256)))
    assert len(sent) <= wire.message_cap(LIMITS.action_bytes)
    assert reply_answer_read(sent, TAG, EARLIER, LIMITS)[0] == signs * 8


def test_a_second_answer_to_the_last_turn_is_distinguished_from_a_forged_one() -> None:
    assert verdict_of(answer(encode("go"), EARLIER)) is Verdict.UNSOLICITED
    assert verdict_of(answer(encode("go"), b"forged!!")) is Verdict.PROTOCOL


BAD = {
    "a number": b"\x03",
    "a map": encode({"action": "go", "output": ""}),
    "a list": encode(["go"]),
    "a list of other things": encode(["go", 1, [], None]),
    "marks that are none": encode(["go", "", [["tile"]], None]),
    "bytes": encode(b"go"),
    "nothing": b"",
    "bytes after the end": encode("go") + b"\x00",
    "a length that lies": b"\xdb\xff\xff\xff\xffgo",
    "deep nesting": b"\x91" * 3000,
    "text that is not UTF-8": b"\xa2\xc3\x28",
    "a surrogate": b"\xa3\xed\xa0\x80",
}


@pytest.mark.parametrize("payload", BAD.values(), ids=BAD.keys())
def test_what_is_no_answer_is_malformed(payload: bytes) -> None:
    assert verdict_of(answer(payload)) is Verdict.MALFORMED


def test_another_tag_is_a_fault_whatever_follows() -> None:
    assert verdict_of(answer(encode("go"), b"\0" * 8)) is Verdict.PROTOCOL
    assert verdict_of(memoryview(wire.ANSWER + TAG[:7])) is Verdict.PROTOCOL
    assert verdict_of(memoryview(wire.ANSWER)) is Verdict.PROTOCOL


@pytest.mark.parametrize("kind", [wire.READY, wire.LOCKED, wire.BROKEN, b"\0", b"{"])
def test_a_message_of_another_kind_is_a_fault(kind: bytes) -> None:
    assert verdict_of(memoryview(kind + TAG + encode("go"))) is Verdict.PROTOCOL


def test_an_action_that_is_too_long_in_bytes_is_oversize() -> None:
    assert verdict_of(answer(encode("é" * 16))) is None
    assert verdict_of(answer(encode("é" * 17))) is Verdict.OVERSIZE


def test_a_runner_cannot_forge_the_judges_own_verdicts() -> None:
    for verdict in Verdict:
        failure = wire.WireFailure(verdict.value, "E", 1, "detail")
        allowed = verdict not in (
            Verdict.KILLED,
            Verdict.FORBIDDEN_CALL,
            Verdict.CPU_TIME,
            Verdict.WALL_TIME,
            Verdict.SLEPT,
            Verdict.OFF_TURN,
            Verdict.UNSOLICITED,
            Verdict.PROTOCOL,
            Verdict.NOT_READING,
            Verdict.ILLEGAL_ACTION,
            Verdict.FORFEITED,
        )
        expected = verdict if allowed else Verdict.PROTOCOL
        assert verdict_of(memoryview(wire.FAILURE + encode(failure))) is expected


def test_ready_must_be_just_that() -> None:
    assert reply_ready_read(memoryview(wire.READY)) is False
    assert reply_ready_read(memoryview(wire.READY_ACT_IDLE)) is True
    with pytest.raises(BotFault, match="protocol"):
        reply_ready_read(memoryview(wire.READY + b"!"))
    with pytest.raises(BotFault, match="protocol"):
        reply_ready_read(memoryview(wire.READY_ACT_IDLE + wire.READY))
    with pytest.raises(BotFault, match="protocol"):
        reply_ready_read(memoryview(wire.BROKEN + b"blame the platform"))


VALID = [
    bytes(answer(encode("go"))),
    wire.FAILURE + encode(wire.WireFailure("crashed", "E", 3, "Traceback")),
]


@examples(400)
@given(st.binary(min_size=1, max_size=300))
def test_random_bytes_get_a_verdict(data: bytes) -> None:
    verdict_of(memoryview(data))
    verdict_of(answer(data))
    verdict_of(memoryview(wire.FAILURE + data))


@examples(400)
@given(
    st.sampled_from(VALID), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 255)), max_size=5), st.integers(0, 60)
)
def test_mutated_messages_get_a_verdict(message: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(message)
    for at, value in changes:
        data[at % len(data)] = value
    verdict_of(memoryview(bytes(data[: cut or len(data)])))


SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()


@examples(100)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(), st.lists
    )
)
def test_any_value_gets_a_verdict(value: object) -> None:
    verdict_of(answer(encode(value)))
    verdict_of(answer(encode([value, value])))
    verdict_of(memoryview(wire.FAILURE + encode([value] * 4)))


def each_gets_a_verdict(seed: int, count: int) -> Counter[str]:
    """What became of so many hostile messages; an exception that is not a bot's fault ends it."""
    ends: Counter[str] = Counter()
    for message in messages(seed, count):
        ends[verdict_of(memoryview(message)) or "an answer"] += 1
        try:
            reply_ready_read(memoryview(message))
            ends["ready"] += 1
        except BotFault as fault:
            verdict_if_short(fault)
    return ends


def test_a_thousand_mutants_get_a_verdict_each() -> None:
    ends = each_gets_a_verdict(1, 1000)
    assert sum(ends.values()) - ends["ready"] == 1000
    assert {"malformed", "protocol", "crashed", "an answer"} <= set(ends), "the mutants are too tame"


@pytest.mark.slow
def test_a_hundred_thousand_mutants_get_a_verdict_each() -> None:
    ends = each_gets_a_verdict(2, 100_000)
    print(dict(ends))
    assert sum(ends.values()) - ends["ready"] == 100_000


SPEAKER = """
import os, sys, random
def act(view):
    data = open('/bot/message', 'rb').read()
    tag = bytes(sys._getframe(1).f_locals['view'][1:9])
    os.write(3, data.replace(bytes(range(1, 9)), tag))
    os.readv(3, [bytearray(1)])
"""


def send_mutants(start: Start, seed: int, count: int) -> None:
    for message in messages(seed, count):
        box = start(SPEAKER, beside={"message": message})
        with suppress(BotFault):
            box.act(VIEW)
            assert not box.closed
        box.close()


def test_mutants_that_a_bot_sends_are_its_fault(start: Start) -> None:
    send_mutants(start, 3, 40)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_mutants_that_bots_send_are_their_fault(start: Start) -> None:
    send_mutants(start, 4, 10_000)
