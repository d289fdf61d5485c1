"""The chain folded: link after link, each digest, each draw, each result and each ruling's consequences."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

from matches.proof.chain import Link
from matches.proof.links import check_link
from matches.proof.reading import ProofError
from matches.proof.witness import Watcher
from tournaments.proof import draws, entering, ruled
from tournaments.proof.results import result
from tournaments.proof.state import Fold

HANDLERS: Final = {**entering.HANDLERS, **draws.HANDLERS, **ruled.HANDLERS}
KINDS: Final = frozenset({*HANDLERS, "result"})
# What a content of the right form may run into that tells of what was never there: a sentence, never a traceback.
UNFIT: Final = (LookupError, TypeError, ValueError, AssertionError, AttributeError, ArithmeticError)
OF_A_REOPENING: Final = frozenset({"secret", "frozen"})
AFTER_THE_END: Final = frozenset({"ruling", "effects", "standings", "renamed"})


def folded(
    links: Iterable[tuple[Link, object]],
    secrets: Sequence[bytes],
    records: Iterator[bytes],
    witness: Watcher | None = None,
) -> Fold:
    """Return the tournament that the links tell, each with its content as parsed.

    Raises:
        ProofError: the first thing that does not hold, with the number of its link.
    """
    fold, last = Fold(witness=witness), Link(0, "", "", "", "")
    for link, content in links:
        try:
            check_link(link, last, KINDS)
            _apply(fold, link, content, secrets, records)
        except ProofError as error:
            raise ProofError(f"link {link.number} ({link.kind:.20}): {error}") from None
        except UNFIT as error:
            kind = type(error).__name__
            raise ProofError(f"link {link.number} ({link.kind:.20}): it fits nothing told before it ({kind})") from None
        last = link
    _check_end(fold, secrets, records)
    return fold


def _apply(fold: Fold, link: Link, content: object, secrets: Sequence[bytes], records: Iterator[bytes]) -> None:
    if link.kind != "effects" and not (fold.reopening and link.kind in OF_A_REOPENING):
        ruled.settle(fold)
    if fold.expected not in ("", link.kind):
        raise ProofError(f"{fold.expected!r} has to come here")
    fold.expected = ""
    if fold.over and link.kind not in AFTER_THE_END:
        raise ProofError("the tournament goes on after its end")
    if link.number == 1 and link.kind != "terms":
        raise ProofError("the chain does not begin with the terms")
    if link.kind == "result":
        result(fold, link.number, content, records)
        return
    HANDLERS[link.kind](fold, link.number, content)
    if link.kind == "secret":
        _reveal(fold, secrets)


def _reveal(fold: Fold, secrets: Sequence[bytes]) -> None:
    number = len(fold.lucks)
    if number > len(secrets):
        raise ProofError("its secret is missing")
    if sha256(secrets[number - 1]).hexdigest() != fold.lucks[-1].commitment:
        raise ProofError("its secret does not have the hash that was published")
    fold.lucks[-1].secret = secrets[number - 1]


def _check_end(fold: Fold, secrets: Sequence[bytes], records: Iterator[bytes]) -> None:
    ruled.settle(fold)
    if fold.expected:
        raise ProofError(f"the chain is cut short: {fold.expected!r} has to come next")
    if not fold.over:
        raise ProofError("the tournament was under way when this was taken: take its proof once it has finished")
    if len(secrets) != len(fold.lucks):
        raise ProofError("there are more secrets than were committed")
    if next(records, None) is not None:
        raise ProofError("there are records that no result tells of")
