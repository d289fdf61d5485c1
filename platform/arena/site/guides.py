"""The guides of the handbook: the files that docs/README.md lists, as pages in English."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from markdown_it.token import Token

from web.markdown import markdown_document_html, markdown_document_tokens

PARTS: Final = ("tutorial", "how-to", "reference", "explanation")
PATH: Final = rf"(?:{'|'.join(PARTS)})/[\w-]+"  # the path of a guide, without ".md"
PAGES: Final = {"reference/glossary": "docs-glossary"}  # guides that have their own page
_LISTED: Final = re.compile(rf"- \[(.+?)\]\(({PATH})\.md\)(?:[:,] (.+))?")
# References to decision records, which only readers of the repository can open.
_DECISIONS: Final = re.compile(
    r"\s+\(\[decision\s+\d+\]\([^)]*\)\)|\[Decision\s+\d+\]\([^)]*\)\s+(?:gives|describes)\s[^.]*\.\s?"
)


class UnknownGuide(LookupError):
    """The handbook has no such guide."""


@dataclass(frozen=True, slots=True)
class ListedGuide:
    """A guide in the list. ``path`` has no ending; ``about`` is a description, "" if the title is enough."""

    path: str
    title: str
    about: str

    @property
    def address(self) -> str:
        return guide_address(self.path)


@dataclass(frozen=True, slots=True)
class GuideGroup:
    """The guides under a heading of the list."""

    title: str
    guides: tuple[ListedGuide, ...]

    @property
    def part(self) -> str:
        """The folder of its guides, one of ``PARTS``."""
        return self.guides[0].path.partition("/")[0] if self.guides else ""


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide as a page.

    ``parts`` are for the search: the anchor, heading and texts of each section. The heading of the first section is the
    guide's title, and its anchor is "". ``headings`` are the anchor and text of each heading of level two.
    """

    title: str
    html: SafeString
    parts: tuple[tuple[str, str, tuple[str, ...]], ...]
    headings: tuple[tuple[str, str], ...]


def guide_address(path: str) -> str:
    """Return the address of the guide's page."""
    return reverse(PAGES[path]) if path in PAGES else reverse("docs-guide", args=[path])


@cache
def guides_listed() -> tuple[GuideGroup, ...]:
    """Return all guides in their groups; none if the documents are not installed beside the code."""
    try:
        text = _folder().joinpath("README.md").read_text(encoding="utf-8")
    except OSError:
        return ()
    groups = []
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        # A description may go on in the next line.
        found = (_LISTED.match(line) for line in rest.replace("\n  ", " ").splitlines())
        guides = tuple(ListedGuide(one[2], _plain(one[1]), _about(one[3] or "")) for one in found if one)
        groups.append(GuideGroup(title, guides))
    return tuple(groups)


def guides_shown() -> list[ListedGuide]:
    """Return the guides that are pages, in the order of the list."""
    return [guide for group in guides_listed() for guide in group.guides if guide.path not in PAGES]


@cache
def guide_of(path: str) -> Guide:
    """Return the guide.

    Raises:
        UnknownGuide: no guide with this ``path`` is listed.
    """
    if path not in {guide.path for guide in guides_shown()}:
        raise UnknownGuide(path)
    text = _folder().joinpath(f"{path}.md").read_text(encoding="utf-8")
    tokens = markdown_document_tokens(_DECISIONS.sub("", text))
    title = tokens[1].content
    body = [*_prepared(tokens[3:], path)]
    headings = tuple(
        (str(one.attrGet("id")), _plain(body[at + 1].content))
        for at, one in enumerate(body)
        if (one.type, one.tag) == ("heading_open", "h2")
    )
    return Guide(_plain(title), markdown_document_html(body), tuple(_parts(_plain(title), body)), headings)


def _parts(title: str, body: Sequence[Token]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    anchor, heading, texts = "", title, list[str]()
    for at, token in enumerate(body):
        if token.type == "heading_open":
            yield anchor, heading, tuple(texts)
            anchor, heading, texts = str(token.attrGet("id")), _plain(body[at + 1].content), []
        elif token.type == "inline" and body[at - 1].type != "heading_open":
            texts.append("".join(one.content or " " for one in token.children or ()))
        elif token.type in ("fence", "code_block"):
            texts.append(token.content)
    yield anchor, heading, tuple(texts)


def _folder() -> Path:
    return Path(settings.BASE_DIR, "docs")


def _plain(text: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("*", "")


def _about(text: str) -> str:
    about = _plain(text).rstrip(".")
    return about if text.startswith("`") else about[:1].upper() + about[1:]


def _prepared(tokens: Sequence[Token], path: str) -> Iterator[Token]:
    """Yield the tokens of a page. Headings get the same anchors as on code hosts. Links lead to pages of this site or
    of other sites. Links to files that the site does not show become text.
    """
    seen: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "th_open" and not tokens[at + 1].content:
            token.tag = tokens[at + 2].tag = "td"  # the empty corner of a table is not a header
        if token.type == "heading_open":
            name = re.sub(r"[^\w\- ]", "", _plain(tokens[at + 1].content).lower()).replace(" ", "-")
            token.attrSet("id", f"{name}-{seen[name]}" if name in seen else name)
            seen[name] = seen.get(name, 0) + 1
        tag = "a"  # of the last opened link: links are never inside links, so its end is the next end
        for one in token.children or ():
            if one.type == "link_open":
                tag = _lead(one, path)
            elif one.type == "link_close":
                one.tag = tag
        yield token


def _lead(link: Token, path: str) -> str:
    """Point a link of the guide ``path`` to the page on this site, or make it plain text. Return its tag."""
    href = str(link.attrGet("href"))
    file, _, anchor = href.partition("#")
    if file and not urlsplit(href).scheme:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)).removesuffix(".md")
        if target in {one.path for group in guides_listed() for one in group.guides}:
            link.attrSet("href", f"{guide_address(target)}{'#' if anchor else ''}{anchor}")
        else:
            link.tag, link.attrs = "span", {}
    return link.tag
