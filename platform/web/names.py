"""Which names may be had, for rooms below the one that knows: it registers its check when it starts (decision 10)."""

from typing import Final, Protocol


class NameCheck(Protocol):
    """Raises a ``web.errors.Refusal`` for a name that cannot be had by the person with the primary key ``owner_id``."""

    def __call__(self, name: str, *, owner_id: int | None = None) -> None: ...


_CHECKS: Final[list[NameCheck]] = []


def name_check_register(check: NameCheck) -> None:
    """Let ``name_check`` ask ``check`` too."""
    if check not in _CHECKS:
        _CHECKS.append(check)


def name_check(name: str, *, owner_id: int | None = None) -> None:
    """Check that ``name`` can be read and is taken for nobody who has a say here.

    Raises:
        Refusal: it cannot be had; the text says why.
    """
    for check in _CHECKS:
        check(name, owner_id=owner_id)
