"""Reading JSON objects without letting a key slip by."""

from typing import Any


class VectorError(ValueError):
    """A vector that does not hold, or that cannot be understood."""


class Keys:
    """A JSON object whose keys must all be taken; ``where`` names it in errors.

    Raises:
        VectorError: ``value`` is no object.
    """

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise VectorError(f"{where}: not an object")
        self.where = where
        self._left = dict(value)

    def take(self, key: str) -> Any:
        """Return the value of a key that must be there.

        Raises:
            VectorError: it is not.
        """
        if key not in self._left:
            raise VectorError(f"{self.where}: key {key!r} is missing")
        return self._left.pop(key)

    def optional(self, key: str, default: Any) -> Any:
        """Return the value of a key that may be there."""
        return self._left.pop(key, default)

    def done(self) -> None:
        """Check that nothing is left to be taken.

        Raises:
            VectorError: keys are left that nobody knows.
        """
        if self._left:
            raise VectorError(f"{self.where}: unknown key {', '.join(map(repr, self._left))}")
