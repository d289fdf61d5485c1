"""Render Markdown as HTML: texts of organisers and authors, and the documents of the repository.

Users' texts may have paragraphs, headings, lists, quotations, code and links. Two libraries protect the page:
markdown-it is configured without HTML and images, and nh3 removes all elements but those below. Each link shows the
host to which it leads, in addition to its text. Our own documents may also have tables.
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

TEXT_MOST: Final = 5000  # characters that are rendered; the rest of the text is left out
NESTED_MOST: Final = 12  # nesting depth of quotations and lists
SCHEMES: Final = frozenset({"http", "https", "mailto"})
HEADINGS: Final = ("h3", "h4", "h5", "h6")
ELEMENTS: Final = frozenset(
    ("a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "small", "strong", "ul", *HEADINGS)
)
ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
# Direction overrides and isolates would display a text, or the host of a link, in a different order.
UNSEEN: Final = re.compile("[\0\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LEVELS: Final = {"h1": "h3", "h2": "h4", "h3": "h5"}  # below the headings of the page


def markdown(text: str) -> SafeString:
    """Return untrusted ``text`` as HTML for a page; "" stays empty. It takes at most a tenth of a second."""
    if not text.strip():
        return SafeString("")
    found = _parser().render(text[:TEXT_MOST].replace("\0", ""))
    cleaned = nh3.clean(
        UNSEEN.sub("", found),  # removed from the result, because the text may contain these characters as entities
        tags=set(ELEMENTS),
        attributes=ATTRIBUTES,
        url_schemes=set(SCHEMES),
        link_rel="nofollow noopener ugc",
        clean_content_tags={"script", "style"},
    )
    return mark_safe(cleaned)  # noqa: S308  nh3 has cleaned it


def markdown_document_tokens(text: str) -> list[Token]:
    """Parse a document of ours. The tokens can be changed before they are rendered."""
    return _document_parser().parse(text)


def markdown_document_html(tokens: Sequence[Token]) -> SafeString:
    """Render the tokens of a document of ours as HTML."""
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
    """Return whether a link to ``url`` is allowed: to a site or a mailbox."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and bool(parts.hostname or parts.scheme == "mailto")


def _host_shown(_parser: Any, tokens: list[Token], index: int, _options: Any, _env: Any) -> str:
    """Close a link, and add its host unless its text is the URL itself."""
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
    parser.add_render_rule("th_open", _cell)
    parser.add_render_rule("td_open", _cell)
    return parser


def _cell(_parser: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    # The content security policy forbids the style attribute by which markdown-it aligns columns.
    cell = tokens[index]
    return f'<{cell.tag} class="num">' if "right" in str(cell.attrGet("style")) else f"<{cell.tag}>"


def _code(_parser: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


def _table(_parser: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """Begin a table in a frame that scrolls, labelled by the heading above it."""
    name = next((one.attrGet("id") for one in reversed(tokens[:index]) if one.type == "heading_open"), None)
    label = f'aria-labelledby="{name}"' if name else 'aria-label="Table"'
    return f'<div class="table-card" tabindex="0" role="group" {label}><table>\n'
