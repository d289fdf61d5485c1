"""What every page of the site owes its readers, checked on the HTML as it was sent."""

from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Protocol

TYPED = {"input", "select", "textarea"}
UNLABELLED_TYPES = {"hidden", "submit", "button", "reset"}


class Answer(Protocol):
    """As much of a test client's response as is read here."""

    @property
    def content(self) -> bytes: ...


class Page(HTMLParser):
    """Collects the complaints about one page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.complaints: list[str] = []
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.labels: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.inside_label = 0
        self.inside_svg = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "svg":
            self.inside_svg += 1
        self.tags[f"{tag} of a picture" if self.inside_svg else tag] += 1
        where = f"<{tag}> at {self.getpos()[0]}"
        if tag == "style" or "style" in attributes:
            self.complaints.append(f"{where}: an inline style")
        if tag == "script" and "src" not in attributes and attributes.get("type") != "application/json":
            self.complaints.append(f"{where}: an inline script")
        self.complaints += [f"{where}: an attribute that ends too early" for name in attributes if '"' in name]
        self.complaints += [f"{where}: a handler {name}" for name in attributes if name.startswith("on")]
        if "javascript:" in (attributes.get("href") or "").lower():
            self.complaints.append(f"{where}: a javascript: link")
        if tag == "img" and "alt" not in attributes:
            self.complaints.append(f"{where}: no alt")
        if identifier := attributes.get("id"):
            self.ids[identifier] += 1
        if tag == "label":
            self.inside_label += 1
            self.labels.add(attributes.get("for") or "")
        if tag in TYPED and attributes.get("type") not in UNLABELLED_TYPES:
            named = self.inside_label or attributes.get("aria-label") or attributes.get("aria-labelledby")
            if not named:
                self.fields.append(attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self.inside_label -= 1
        if tag == "svg":
            self.inside_svg -= 1


def complaints(html: str) -> list[str]:
    """What is wrong with a whole page; empty when nothing is."""
    page = Page(html)
    found = list(page.complaints)
    found += [f"{page.tags[tag]} <{tag}> instead of one" for tag in ("title", "main", "h1") if page.tags[tag] != 1]
    found += [f"id {name!r} {times} times" for name, times in page.ids.items() if times > 1]
    found += [f"no label for {field}" for field in page.fields if field.get("id") not in page.labels]
    return found


def assert_clean_page(response: Answer) -> None:
    """The page obeys the content security policy and can be read by everyone."""
    assert complaints(response.content.decode()) == []
