"""Markdown as HTML: what organisers and authors write, and the documents of the repository.

Texts of people have paragraphs, headings, lists, quotations, code and links, and nothing else. Two libraries stand
between them and the page: markdown-it knows no HTML here and no images, and nh3 lets only the elements through that are
named below. A link shows the host that it leads to, whatever its text says. Documents, which are ours, have tables too.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TEXT_MOST: Final = 5000  # characters that are rendered; the rest is left out
NESTED_MOST: Final = 12  # quotations and lists within each other
SCHEMES: Final = frozenset({"http", "https", "mailto"})
HEADINGS: Final = ("h3", "h4", "h5", "h6")
ELEMENTS: Final = frozenset(
    ("a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "small", "strong", "ul", *HEADINGS)
)
ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
# Direction overrides and isolates would show a text, or the host of a link, in another order than it is.
UNSEEN: Final = re.compile("[\0\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LEVELS: Final = {"h1": "h3", "h2": "h4", "h3": "h5"}  # below those of the page


def markdown(text: str) -> SafeString:
    """Return hostile ``text`` as HTML for a page; "" stays empty. It takes a tenth of a second at most."""
    if not text.strip():
        return SafeString("")
    found = _parser().render(text[:TEXT_MOST].replace("\0", ""))
    kept = nh3.clean(
        UNSEEN.sub("", found),  # of the result: in the text they may be written as entities
        tags=set(ELEMENTS),
        attributes=ATTRIBUTES,
        url_schemes=set(SCHEMES),
        link_rel="nofollow noopener ugc",
        clean_content_tags={"script", "style"},
    )
    return mark_safe(kept)  # noqa: S308  nh3 has cleaned it


def document_tokens(text: str) -> list[Token]:
    """Return a document of ours as tokens, to be changed before they are rendered."""
    return _document_parser().parse(text)


def document_html(tokens: Sequence[Token]) -> SafeString:
    """Return the tokens of a document of ours as HTML."""
    parser = _document_parser()
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308  ours, and without HTML


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": NESTED_MOST})
    parser.disable(["image", "html_block", "html_inline", "reference"])
    parser.validateLink = _may_lead_to  # type: ignore[method-assign]
    parser.add_render_rule("link_close", _host_shown)
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("heading_close", _heading)
    return parser


def _may_lead_to(url: str) -> bool:
    """Tell whether a link may lead there: to a site, or to a mailbox."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and bool(parts.hostname or parts.scheme == "mailto")


def _host_shown(_parser: Any, tokens: list[Token], index: int, _options: Any, _env: Any) -> str:
    """Close a link, and say where it leads unless its text is the address itself."""
    begun = next(at for at in range(index, -1, -1) if tokens[at].type == "link_open")
    href = str(tokens[begun].attrGet("href"))
    text = "".join(one.content for one in tokens[begun + 1 : index])
    if text == href or (tokens[begun].info == "auto" and href == f"mailto:{text}"):
        return "</a>"
    parts = urlsplit(href)
    return f"</a> <small>({escape(parts.hostname or parts.path)})</small>"


def _heading(_parser: Any, tokens: list[Token], index: int, _options: Any, _env: Any) -> str:
    heading = tokens[index]
    tag = LEVELS.get(heading.tag, "h6")
    return f"<{tag}>" if heading.nesting == 1 else f"</{tag}>\n"


@cache
def _document_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("fence", _code)
    parser.add_render_rule("code_block", _code)
    parser.add_render_rule("table_open", _table)
    parser.add_render_rule("table_close", lambda *_given: "</table></div>\n")
    return parser


def _code(_parser: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


def _table(_parser: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """Begin a table, named for the heading above it, in a frame in which it scrolls."""
    name = next((one.attrGet("id") for one in reversed(tokens[:index]) if one.type == "heading_open"), None)
    label = f'aria-labelledby="{name}"' if name else 'aria-label="Table"'
    return f'<div class="table-card" tabindex="0" role="group" {label}><table>\n'
