"""The state of an anonymous visitor's page with live parts, and the messages with which its socket asks for rows."""

import json
import re
import time
import urllib.request
from dataclasses import dataclass
from typing import Final, Self

CELLS: Final = re.compile(r"<live-cells([^>]*)>")
PART: Final = re.compile(r'data-part="([^"]+)" data-revision="(\d+)"')
WORD: Final = re.compile(r'([\w-]+)="([^"]*)"')
WAIT_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class PageCells:
    """The ticket of a page's topic, the address of its fragment, and the revisions of the parts that it shows."""

    ticket: str
    src: str
    parts: dict[str, int]

    @classmethod
    def of(cls, url: str) -> Self:
        """Read the page at ``url``. The site may still be starting.

        Raises:
            OSError: the site does not answer within ``WAIT_SECONDS``.
        """
        until = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                with urllib.request.urlopen(url, timeout=WAIT_SECONDS) as answer:
                    html = answer.read().decode()
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
        found = CELLS.search(html)
        assert found is not None
        assert "data-shared" in found[1], "what strangers see is everyone's"
        words = {name: value.replace("&amp;", "&") for name, value in WORD.findall(found[1])}
        shown = {part: int(revision) for part, revision in PART.findall(html)}
        return cls(words["topic"], words["src"], shown)

    def first_words(self) -> bytes:
        """Return the first messages of the page when its socket is open."""
        return json.dumps({"subscribe": [self.ticket], "shows": [{"topic": self.ticket, "parts": self.parts}]}).encode()
