"""The name by which our server lets a socket be written to without waiting: a key of the extensions of a scope."""

from typing import Final

WRITE_TEXT: Final = "pecking_order.write_text"  # a function of a text: False if it cannot be written now
