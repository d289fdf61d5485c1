"""Markdown of people: what becomes of it on a page, and that hostile text is neither dangerous nor slow."""

import re
from time import thread_time
from typing import Final

import pytest

from web.markdown import ELEMENTS, TEXT_MOST, markdown, markdown_document_html, markdown_document_tokens

SLOW: Final = {
    "brackets": "[" * 100_000,
    "empty links": "[](" * 40_000,
    "quotations": ">" * 100_000,
    "emphasis": "*a_" * 40_000,
    "code": "`" + "``" * 20_000 + " `" * 20_000,
    "deep lists": "\n".join(" " * depth + "- a" for depth in range(400)),
    "links in links": "[a" * 1000 + "](https://b.example)" * 1000,
    "angles": "<" * 100_000,
    "entities": "&" * 100_000,
    "closed late": "[a](https://a.example " * 3000 + ")" * 3000,
}


def test_paragraphs_lists_emphasis_and_code() -> None:
    found = markdown("# Prizes\n\nFirst **cake**,\nthen *tea*.\n\n- `a<b`\n\n3. three\n\n> said")
    assert "<h3>Prizes</h3>" in found
    assert "First <strong>cake</strong>,<br>\nthen <em>tea</em>." in found
    assert "<code>a&lt;b</code>" in found
    assert '<ol start="3">' in found
    assert "<blockquote>" in found


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<iframe src="https://a.example"></iframe>',
        '<p class="notice" style="color:red" onclick="x()">a</p>',
        "<form action=https://a.example><input name=password></form>",
        "![picture](https://a.example/p.png)",
        "[a](javascript:alert(1)) [a](JaVaScRiPt:alert(1)) [a](java\tscript:alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=) [a](vbscript:x) [a](file:///etc/passwd) [a](//a.example)",
        "<javascript:alert(1)>",
        "[a](https://)",
        "[a](https://[)",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "```html\n<img src=x onerror=alert(1)>\n```",
        '[a](https://a.example "onmouseover=alert(1)")',
        "[a]\n\n[a]: https://a.example",
    ],
)
def test_nothing_but_the_allowed_elements_and_attributes_reaches_a_page(text: str) -> None:
    found = markdown(text)
    assert set(re.findall(r"<([a-z0-9]+)", found)) <= ELEMENTS
    assert set(re.findall(r"<[^>]*? ([a-z-]+)=", found)) <= {"href", "rel", "start"}
    assert all(one.startswith(("http://", "https://", "mailto:")) for one in re.findall(r'href="([^"]*)"', found))
    for tag in re.findall(r"<a [^>]*>", found):
        assert 'rel="nofollow noopener ugc"' in tag


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("[our rules](https://evil.example/rules)", "evil.example"),
        ("[https://good.example](https://evil.example)", "evil.example"),
        ("[https://good.example/](https://good.example@evil.example/)", "evil.example"),
        ("[good.example](https://xn--go-fma.example)", "xn--go-fma.example"),
        ("[`https://good.example`](https://evil.example)", "evil.example"),
        ("[write](mailto:a@b.example)", "a@b.example"),
    ],
)
def test_a_link_shows_where_it_leads(text: str, host: str) -> None:
    assert f"<small>({host})</small>" in markdown(text)


@pytest.mark.parametrize(
    "text", ["<https://a.example/b>", "<me@a.example>", "[https://a.example/](https://a.example/)"]
)
def test_an_address_that_is_its_own_text_is_shown_once(text: str) -> None:
    assert "<small>" not in markdown(text)


@pytest.mark.parametrize("written", ["\u202e", "&#x202e;", "&#8238;", "&rlm;", "\u2067", "\0", "&#0;"])
def test_controls_of_direction_are_left_out(written: str) -> None:
    found = markdown(f"a{written}b [x{written}](https://a.example)\n\n# {written}c")
    assert not set("\u202e\u200f\u2067\0") & set(found)


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_hostile_text_takes_no_time(text: str) -> None:
    markdown("first")
    begun = thread_time()
    found = markdown(text)
    assert thread_time() - begun < 1
    assert len(found) < 40 * TEXT_MOST


def test_no_text_is_no_paragraph() -> None:
    assert markdown(" \n") == ""


def test_columns_of_numbers_have_a_class_in_place_of_a_style() -> None:
    table = "| bots | ms |\n|---|---:|\n| 10 | 3 |\n"
    html = markdown_document_html(markdown_document_tokens(table))
    assert "style" not in html
    assert "<th>bots</th>" in html
    assert '<td class="num">3</td>' in html
