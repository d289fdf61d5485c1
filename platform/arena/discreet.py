"""Log lines that say what happened and keep to themselves what would let a reader of the log in."""

import logging
import re
from typing import Final

HIDDEN: Final = "[hidden]"
# Links of letters, tokens of the API, tickets of sockets: in addresses, headers, tracebacks, wherever they stand.
SECRETS: Final = re.compile(
    r"""(?P<keep>
        /password/reset/key/ | /confirm-email/ | /invited/
      | [?&;](?:ticket|token|key|secret|password|passwd|sessionid|csrftoken)=
      | \bAuthorization['":\s]+(?:Token|Bearer|Basic)\s+
      | \b(?:sessionid|csrftoken)=
      | \b(?:match|tournament|league|version)\.\d{1,18}:
      | \bpeck_
      | ://[^\s:/@]*:(?=[^\s/@]+@)
    )[^\s/&;,"'<>)\]}@]+""",
    re.VERBOSE | re.IGNORECASE,
)


def discreet(text: str) -> str:
    """Return ``text`` without what lets anybody in."""
    return SECRETS.sub(rf"\g<keep>{HIDDEN}", text)


class DiscreetFormatter(logging.Formatter):
    """The formatter of all our handlers; tracebacks and arguments come through it too."""

    def format(self, record: logging.LogRecord) -> str:
        return discreet(super().format(record))
