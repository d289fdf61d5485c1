"""Static files that are served as one with what they import."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from playwright.sync_api import Browser

from web.bundles import BundleFinder, bundle


def bundled(path: str, files: Mapping[str, str]) -> str:
    return bundle(path, files.__getitem__)


def test_style_sheets_come_once_and_before_their_importers() -> None:
    files = {
        "a/all.css": '/* Why. */\n@import url("one.css");\n@import url("../b/two.css");\nall {}\n',
        "a/one.css": '@import url("../b/two.css");\none {}\n',
        "b/two.css": "two {}\n",
    }
    assert bundled("a/all.css", files) == "two {}\none {}\nall {}\n"


MODULES = {
    "a/main.js": '/** Why. */\n\nimport { same as ours, twice } from "./one.js";\nimport "../b/two.js";\n\n'
    "const same = 1;\nexport const seen = [same, ours, twice(4)];\n",
    "a/one.js": 'import { count } from "../b/two.js";\n\nexport { doubled as twice } from "../b/two.js";\n\n'
    "const hidden = 2;\nexport const same = hidden + count();\n",
    "b/two.js": "let runs = 0;\nexport const later = () =>\n  import('nowhere');\nruns += 1;\n// a comment\n"
    "export function count() {\n  return runs;\n}\n\n"
    "export const { doubled } = { doubled: (n) => 2 * n };\n",
}


@pytest.mark.browser
def test_modules_keep_their_names_to_themselves_and_run_once(browser: Browser) -> None:
    text = bundled("a/main.js", MODULES)
    page = browser.new_page()
    values = page.evaluate(
        "async (text) => (await import('data:text/javascript,' + encodeURIComponent(text))).seen", text
    )
    page.close()
    assert values == [1, 3, 8]


@pytest.mark.browser
def test_a_bundle_uses_the_modules_of_the_one_that_is_loaded_before_it(browser: Browser, settings: Any) -> None:
    settings.STATIC_BUNDLES_AFTER = {"a/main.js": ["b/*.js"]}
    later = 'import { count } from "./two.js";\nimport { own } from "./own.js";\nexport const seen = [count(), own];\n'
    files = MODULES | {"b/later.js": later, "b/own.js": "export const own = 7;\n"}
    text = bundled("b/later.js", files)
    assert "runs" not in text
    page = browser.new_page()
    load = "(text) => import('data:text/javascript,' + encodeURIComponent(text))"
    page.evaluate(load, bundled("a/main.js", files))
    values = page.evaluate(f"async (text) => (await ({load})(text)).seen", text)
    page.close()
    assert values == [1, 7]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('import fs from "./one.js";\n', "import fs"),
        ('import * as all from "./one.js";\n', "import [*]"),
        ("export default 1;\n", "export default"),
        ('import { x } from "./main.js";\n', "which imports it"),
    ],
)
def test_a_file_that_cannot_be_bundled_is_refused_by_name(text: str, what: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=what):
        bundled("a/main.js", {"a/main.js": text, "a/one.js": ""})


def test_every_bundle_of_the_site_is_found_in_place_of_its_file() -> None:
    found = dict(BundleFinder().list(None))
    assert {"site/css/site.css", "site/js/site.js", "matches/match.js", "matches/match.css"} <= set(found)
    assert "matches/replay/boards/heckmeck/index.js" in found
    for path, storage in found.items():
        assert finders.find(path) == storage.path(path)
        text = Path(storage.path(path)).read_text(encoding="utf-8")
        assert "import " not in text.replace("await import(", "")
        assert "@import" not in text


def test_comments_are_left_out_and_texts_that_look_like_one_stay() -> None:
    lines = [
        "const one = 1; // the first",
        'const site = "https://example.org";',
        'const said = "a; // b";',
        "const tall = `x; // ${one}`;",
        "// a line of its own",
        "f({ // why",
        "});",
    ]
    text = bundled("main.js", {"main.js": "\n".join(lines) + "\n"})
    code = ["const one = 1;", *lines[1:4], "f({", "});"]
    assert "\n".join(code) in text
