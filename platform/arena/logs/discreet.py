"""Log lines that say what happened and keep to themselves who reads a mailbox and what would let a reader in."""

import re
from typing import Final

HIDDEN: Final = "[hidden]"
# Links of letters, tokens of the API, tickets of sockets: in addresses, headers, tracebacks, wherever they stand. In an
# address within an address, / ? & = are %2F %3F %26 %3D, %252F in one within that, and so on.
SLASH: Final = r"(?:/|%(?:25)*2F)"
SECRETS: Final = re.compile(
    rf"""(?P<keep>
        {SLASH}password{SLASH}reset{SLASH}key{SLASH}
      | {SLASH}confirm-email{SLASH}
      | {SLASH}invited{SLASH}
      | (?:[?&;]|%(?:25)*(?:3F|26))(?:ticket|token|key|secret|code|password|passwd|sessionid|csrf\w{{1,20}})
        (?:=|%(?:25)*3D)
      | \bAuthorization['":\s]+(?:Token|Bearer|Basic)\s+
      | \b(?:sessionid|csrftoken)=
      | \b(?:match|tournament|league|version)\.\d{{1,18}}:
      | \bpeck_
    )[^\s/&;,"'<>)\]}}@]+
    | (?P<user>://[^\s:/@]{{0,256}}:)[^\s/]{{1,512}}(?=@)""",
    re.VERBOSE | re.IGNORECASE,
)
EMAIL: Final = re.compile(r"[\w.+-]{1,64}(?:@|%(?:25)*40)[\w-]{1,63}(?:\.[\w-]{1,63})+", re.IGNORECASE)


def discreet(text: str) -> str:
    """Return ``text`` without what lets anybody in, and without e-mail addresses."""
    return EMAIL.sub(HIDDEN, SECRETS.sub(_hidden, text))


def _hidden(found: re.Match[str]) -> str:
    return (found["keep"] or found["user"]) + HIDDEN
