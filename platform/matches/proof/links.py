"""Each link follows the one before it."""

from collections.abc import Collection

from matches.proof.chain import FIRST, Link
from matches.proof.reading import ProofError, moment


def check_link(link: Link, last: Link, kinds: Collection[str]) -> None:
    """Check that ``link`` follows ``last``, whose number is 0 before the first.

    Raises:
        ProofError: it does not, or is of a kind that does not exist.
    """
    if link.number != last.number + 1:
        raise ProofError(f"a link is missing, doubled or moved: number {last.number + 1} belongs here")
    if link.previous != (last.digest if last.number else FIRST):
        raise ProofError("it does not follow the link before: one of them was changed, dropped or moved")
    moment(link.at, "the time when it happened")
    if link.at < last.at:
        raise ProofError("it is told to have happened before the link before it")
    if link.kind not in kinds:
        raise ProofError("there is no such kind of link")
