"""Packages of games as they leave the site: what pip installs from it, and what a browser loads beside the kit."""

import csv
import re
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse

from arena.playground.context import playground_content_digest, playground_games, playground_server_only_games
from arena.site import author_kit
from arena.site.game_packages import BYTES_MOST, game_package_in_browsers, game_packages_given
from arena.site.package_index import package_index_wheel
from games.catalogue.discovery import GROUP
from tests.games.installed import MODULES, NAME, Install, forget, install
from tests.games.sample import FOLDER

__all__ = ["install"]
pytestmark = pytest.mark.django_db
JSON = {"accept": "application/vnd.pypi.simple.v1+json"}


def wheel(client: Client, name: str = NAME) -> ZipFile:
    """What pip would fetch, after a look at its hash."""
    page = client.get(f"/docs/simple/{name}/").content.decode()
    ((address, digest),) = re.findall(r'<a href="([^"#]+)#sha256=([0-9a-f]{64})"', page)
    data = client.get(address).content
    assert sha256(data).hexdigest() == digest
    return ZipFile(BytesIO(data))


def test_the_index_has_the_packages_of_games_beside_the_kit(client: Client, install: Install) -> None:
    install(about="Requires-Python: >=3.11\n")
    listed = client.get("/docs/simple/").content.decode()
    assert re.findall(r'<a href="([^"]+)">', listed) == ["/docs/simple/pecking/", f"/docs/simple/{NAME}/"]
    assert [one["name"] for one in client.get("/docs/simple/", headers=JSON).json()["projects"]] == ["pecking", NAME]
    answer = client.get(f"/docs/simple/{NAME}/", headers=JSON).json()
    (file,) = answer["files"]
    assert (answer["name"], answer["versions"], file["requires-python"]) == (NAME, ["1.0.0"], ">=3.11")
    assert file["filename"] == "pecking_order_pig-1.0.0-py3-none-any.whl"
    data = client.get(file["url"]).content
    assert (file["hashes"]["sha256"], file["size"]) == (sha256(data).hexdigest(), len(data))
    assert client.head(file["url"]).status_code == 200
    assert client.get("/docs/simple/Pecking_Order_Pig/")["Location"] == f"/docs/simple/{NAME}/"


def test_a_wheel_has_the_installed_files_and_nothing_of_the_machine(
    client: Client, install: Install, tmp_path: Path
) -> None:
    site = install(listed=("../../bin/pig", "pecking_order_pig/__pycache__/position.cpython-311.pyc", "pig.pth"))
    (site / "pig.pth").write_text("/srv/secret\n")
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    (site / "pecking_order_pig" / "linked.txt").symlink_to(outside)
    with (site / "pecking_order_pig-1.0.0.dist-info" / "RECORD").open("a") as record:
        record.write("pecking_order_pig/linked.txt,,\n../secret.txt,,\n/etc/passwd,,\n")
    forget()
    packed = wheel(client)
    about = "pecking_order_pig-1.0.0.dist-info"
    files = {str(one.relative_to(FOLDER / "pig")) for one in MODULES.rglob("*.*") if one.suffix not in (".pyc", "")}
    assert {*packed.namelist()} == files | {
        f"{about}/{one}" for one in ("METADATA", "WHEEL", "entry_points.txt", "RECORD")
    }
    assert packed.read("pecking_order_pig/position.py") == (MODULES / "position.py").read_bytes()
    for name, digest, size in csv.reader(StringIO(packed.read(f"{about}/RECORD").decode())):
        if name != f"{about}/RECORD":
            right = urlsafe_b64encode(sha256(packed.read(name)).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={right}", str(len(packed.read(name))))
    first = package_index_wheel(NAME)
    forget()
    assert package_index_wheel(NAME) == first
    assert str(tmp_path).encode() not in b"".join(packed.read(one) for one in packed.namelist())


def test_one_that_is_installed_as_editable_is_found_where_it_lies(
    client: Client, install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source" / "editable_pig"
    shutil.copytree(MODULES, source, ignore=shutil.ignore_patterns("__pycache__"))
    (source / ".env").write_text("secret")
    (source / "table.json").write_text("{}")
    (source / "host.txt").symlink_to("/etc/hostname")
    (source / "etc").symlink_to("/etc")
    monkeypatch.syspath_prepend(source.parent)
    site = install(files={"_pig.pth": str(source.parent).encode()})
    about = site / "pecking_order_pig-1.0.0.dist-info"
    (about / "direct_url.json").write_text('{"url": "file:///srv/pig", "dir_info": {"editable": true}}')
    (about / "entry_points.txt").write_text(f"[{GROUP}]\npig = editable_pig:GAME\n")
    forget()
    names = {one for one in wheel(client).namelist() if "dist-info" not in one}
    assert {"editable_pig/position.py", "editable_pig/board/index.js", "editable_pig/table.json"} < names
    assert not [
        one for one in names if "secret" in one or "etc" in one or "host" in one or one.endswith(("env", "pth"))
    ]
    assert game_package_in_browsers("pig")


UNSUITABLE: dict[str, tuple[dict[str, Any], str]] = {
    "compiled": (
        {"files": {"pecking_order_pig/__init__.py": b"", "pecking_order_pig/fast.abi3.so": b"\0"}},
        "compiled",
    ),
    "for one platform": ({"pure": False}, "is compiled"),
    "private": ({"about": "Classifier: Private :: Do Not Upload\n"}, "is private"),
    "too large": (
        {"files": {"pecking_order_pig/__init__.py": b"", "pecking_order_pig/a.bin": bytes(BYTES_MOST + 1)}},
        f"has more than {BYTES_MOST} bytes",
    ),
    "hides Python": ({"files": {"random.py": b""}}, "would hide random"),
    "hides the kit": ({"files": {"pecking/__init__.py": b""}}, "would hide pecking"),
    "without files": ({"files": {"pig.pth": b"/srv"}}, "has no files"),
}


@pytest.mark.parametrize("case", UNSUITABLE)
def test_unsuitable_packages_are_not_served_and_the_others_are(client: Client, install: Install, case: str) -> None:
    how, why = UNSUITABLE[case]
    install(**how)
    assert why in game_packages_given().reasons[NAME]
    assert not game_package_in_browsers("pig")
    assert client.get(f"/docs/simple/{NAME}/").status_code == 404
    assert client.get("/docs/simple/pecking/").status_code == 200
    assert any(one.id == "arena.I001" and why in one.msg for one in run_checks())
    assert not any(name.startswith("pecking_order_pig") for name in browser_names())


def browser_names() -> list[str]:
    return ZipFile(BytesIO(author_kit.kit_browser_file())).namelist()


NEEDS = {
    "open_spiel>=1": "open",  # it is not installed here
    "numpy": "numpy is compiled",
    "this is no requirement!": "Expected",
}


@pytest.mark.parametrize("needed", NEEDS)
def test_pip_gets_one_that_needs_more_than_a_browser_has(client: Client, install: Install, needed: str) -> None:
    install(about=f"Requires-Dist: {needed}\n")
    assert f"Requires-Dist: {needed}" in wheel(client).read("pecking_order_pig-1.0.0.dist-info/METADATA").decode()
    assert NEEDS[needed] in game_packages_given().reasons[NAME]
    assert not game_package_in_browsers("pig")


def test_a_browser_gets_pure_dependencies_of_a_package(install: Install) -> None:
    install(
        about='Requires-Dist: pecking\nRequires-Dist: pigsty>=1\nRequires-Dist: numpy; extra == "fast"\n',
    )
    install("pigsty", files={"pigsty.py": b"ROOM = 1\n"}, about="Requires-Dist: pecking-order-pig\n", game="")
    assert game_package_in_browsers("pig")
    assert {"pigsty.py", "pecking_order_pig/position.py"} <= {*browser_names()}
    assert [*game_packages_given().wheels] == [NAME]  # what has no game, pip finds elsewhere


@pytest.mark.processes
def test_it_plays_beside_the_kit_for_browsers(install: Install, tmp_path: Path) -> None:
    install()
    (tmp_path / "kit.zip").write_bytes(author_kit.kit_browser_file())
    script = """
import json, sys
sys.path.insert(0, "kit.zip")
import pecking.peck.browser as desk
opened = desk.opened("bots", lambda text: None)
def play(source):
    spec = {"ruleset": "pig/1", "seed": "x", "bots": [{"files": {"bot.py": source}}, {"house": "steady"}]}
    return json.loads(opened.answer(json.dumps({"do": "play", "spec": spec, "index": 0})))
first = play("def act(view): return view['actions'][0]")
assert not first["faults"] and first["end"]["reason"] == "goal", first
again = json.loads(opened.answer(json.dumps({"do": "film", "record": first["record"]})))
assert again["frames"]
for failing, verdict in (("def act(view): 1 / 0", "crashed"), ("import pecking_order_pig", "import_error")):
    (fault,) = play(failing)["faults"]
    assert fault["verdict"] == verdict, fault
"""
    done = subprocess.run(
        [sys.executable, "-IB", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_kit_for_browsers_has_another_address_with_a_package(client: Client, install: Install) -> None:
    before = playground_content_digest(author_kit.kit_browser_file())
    install()
    address = reverse("playground-kit", args=[playground_content_digest(author_kit.kit_browser_file())])
    assert before not in address
    assert "immutable" in client.get(address)["Cache-Control"]
    assert client.get(reverse("playground-kit", args=[before]))["Cache-Control"] == "no-store"
    assert [game["name"] for game in playground_games()][-1] == "pig"


def test_pages_of_authors_say_how_pip_installs_it(client: Client, install: Install) -> None:
    about = install() / "pecking_order_pig-1.0.0.dist-info" / "METADATA"
    before = about.read_text()

    def pages_with(line: str) -> str:
        about.write_text(before + line)
        forget()
        return "".join(client.get(one).content.decode() for one in (reverse("docs-rules", args=["pig"]), "/docs/bots/"))

    index = f"http://testserver/docs/simple/ pecking {NAME}"
    assert pages_with("").count(f"pip install --index-url {index}") == 2
    assert pages_with("Requires-Dist: numpy\n").count(f"pip install --extra-index-url {index}") == 2
    assert NAME not in pages_with("Classifier: Private :: Own\n")


@pytest.mark.parametrize("address", ["playground", "play-yourself"])
def test_the_page_says_which_games_are_played_on_the_server_only(
    client: Client, install: Install, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pyodide.pyodide_version", lambda: "1.2.3")
    install(pure=False)
    page = client.get(reverse(address)).content.decode()
    assert "Only on the server, not in the browser: Pig." in page
    assert "Pig can only be played on the server" not in page
    assert "Pig can only be played on the server" in client.get(f"{reverse(address)}?game=pig").content.decode()
    rules = client.get(reverse("docs-rules-index")).content.decode()
    assert ("play/?game=pickomino" in rules, "play/?game=pig" in rules) == (True, False)
    assert "play/?game=pig" not in client.get(reverse("docs-rules", args=["pig"])).content.decode()
    for odd in ("../pig", "pig/1", "pig\0", "a.b.c", "%2e%2e", "pickomino"):
        assert "can only be played" not in client.get(reverse(address), {"game": odd}).content.decode()
    assert (playground_server_only_games(), "pig" in {game["name"] for game in playground_games()}) == (
        {"pig": "Pig"},
        False,
    )


@pytest.mark.parametrize(
    "path",
    [
        "pig/",
        "pecking-order-pig/..%2f..%2fetc%2fpasswd",
        "pecking-order-pig/../pecking/",
        "../simple/nothing/",
        "pecking-order-pig/pecking-0.0.0-py3-none-any.whl",
        "pecking-order-pig/pecking_order_pig-1.0.1-py3-none-any.whl",
        "pecking/pecking_order_pig-1.0.0-py3-none-any.whl",
        "pecking.order.pig/",
        "numpy/",
    ],
)
def test_other_names_are_404(client: Client, install: Install, path: str) -> None:
    install()
    assert client.get(f"/docs/simple/{path}").status_code == 404
