"""The kit as a package: an index that pip reads, a wheel that is installed and plays, on every Python that is here."""

import ast
import csv
import json
import re
import shutil
import subprocess
import sys
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server
from zipfile import ZipFile

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client
from packaging.metadata import Metadata

from arena.site.author_kit import kit_peck_file, kit_typed_views, kit_wheel
from games.catalogue import GAMES
from games.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = [
    found
    for minor in range(11, 15)
    for found in [
        shutil.which(f"python3.{minor}"),
        *map(str, sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))),
    ]
    if found and "shims" not in found
]
BOT = "def act(view):\n    return view['actions'][-1]\n"


def test_the_kit_is_of_the_sites_version() -> None:
    assert f'\nversion = "{VERSION}"\n' in (ROOT / "pyproject.toml").read_text()


def test_the_index_names_one_wheel_and_its_hash(client: Client) -> None:
    assert "/docs/simple/pecking/" in client.get("/docs/simple/").content.decode()
    page = client.get("/docs/simple/pecking/").content.decode()
    (found,) = re.findall(
        r'<a href="([^"#]+)#sha256=([0-9a-f]{64})" data-requires-python="&gt;=3.11">([^<]+)</a>', page
    )
    address, digest, name = found
    assert name == f"pecking-{VERSION}-py3-none-any.whl"
    assert sha256(client.get(address).content).hexdigest() == digest
    answer = json.loads(
        client.get("/docs/simple/pecking/", headers={"accept": "application/vnd.pypi.simple.v1+json"}).content
    )
    assert answer["files"] == [
        {
            "filename": name,
            "url": address,
            "hashes": {"sha256": digest},
            "requires-python": ">=3.11",
            "size": len(kit_wheel().data()),
        }
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/docs/simple/django/", "/docs/simple/pecking/pecking-9.9-py3-none-any.whl"])
def test_other_packages_are_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_wheel_is_always_the_same_and_its_record_holds() -> None:
    first = kit_wheel().data()
    kit_wheel.cache_clear()
    assert kit_wheel().data() == first
    with ZipFile(BytesIO(first)) as packed:
        about = f"pecking-{VERSION}.dist-info"
        recorded = {row[0]: row[1:] for row in csv.reader(StringIO(packed.read(f"{about}/RECORD").decode()))}
        assert set(recorded) == set(packed.namelist())
        for name, (digest, size) in recorded.items():
            data = packed.read(name)
            if name != f"{about}/RECORD":
                right = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
                assert (digest, size) == (f"sha256={right}", str(len(data)))
        assert {f"pecking/peck/texts/{name}.md" for name in GAMES} <= set(recorded)
        assert {name.partition("/")[0] for name in recorded} == {"pecking", about}
        metadata = Metadata.from_email(packed.read(f"{about}/METADATA"))
        assert metadata.provides_extra == ["batch", "gymnasium", "mcp", "openspiel", "pettingzoo", "testing"]
        bare = {str(one.name) for one in metadata.requires_dist or () if not one.marker or one.marker.evaluate()}
        assert bare == set()
        brought = {"batch": "numba", "pettingzoo": "pettingzoo", "openspiel": "open_spiel", "gymnasium": "gymnasium"}
        for extra, brings in brought.items():
            with_it = {one.name for one in metadata.requires_dist or () if one.marker.evaluate({"extra": extra})}
            assert with_it == {brings, "numpy"}
            assert f"pecking/research/{extra}.py" in recorded


def imported(source: bytes) -> set[str]:
    """The top-level names that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_package_imports_itself_and_the_standard_library_alone() -> None:
    """Two libraries are imported where they are used: numpy, and what draws FIDE's rounds. Adapters have extras."""
    with ZipFile(BytesIO(kit_wheel().data())) as packed:
        modules = {name: packed.read(name) for name in packed.namelist() if name.endswith(".py")}
    needed = {
        name: imported(source) - sys.stdlib_module_names for name, source in modules.items() if "/bots/" not in name
    }
    names = ("batch", "gymnasium", "openspiel", "openspiel_bots", "pettingzoo", "vectors")
    adapters = {name: needed.pop(f"pecking/research/{name}.py") for name in names}
    assert adapters == {
        "batch": {"pecking", "numpy", "numba"},
        "gymnasium": {"pecking", "numpy", "gymnasium"},
        "openspiel": {"pecking", "numpy", "pyspiel"},
        "openspiel_bots": {"pecking", "pyspiel"},
        "pettingzoo": {"pecking", "numpy", "gymnasium", "pettingzoo"},
        "vectors": {"pecking", "numpy", "gymnasium"},
    }
    assert needed.pop("pecking/peck/mcp_server.py") == {"pecking", "mcp"}
    testing = [needed.pop(name) for name in list(needed) if name.startswith("pecking/testing/")]
    assert set.union(*testing) == {"pecking", "pytest", "jsonschema_rs", "playwright"}  # the last one may be missing
    assert set.union(*needed.values()) <= {"pecking", "numpy", "py4swiss", "caissify_pairings"}


def test_nothing_but_the_bots_process_needs_linux() -> None:
    """``resource``, ``fcntl``, ``pwd``, ``termios``: at the top of no module that ``peck`` imports.

    What draws FIDE's rounds are programs of their own, for proofs alone.
    """
    with ZipFile(BytesIO(kit_peck_file())) as packed:
        for name in packed.namelist():
            if name.endswith(".py") and not name.endswith("_engine.py"):
                top = ast.Module(ast.parse(packed.read(name)).body, [])
                at_once = {alias.name for node in top.body if isinstance(node, ast.Import) for alias in node.names}
                assert not at_once & {"resource", "fcntl", "pwd", "grp", "termios", "pty"}, name


def test_the_types_have_every_key_of_every_view() -> None:
    namespace: dict[str, object] = {}
    exec(kit_typed_views(), namespace)
    for name, game in GAMES.items():
        kind = namespace[f"{name.title()}View"]
        assert set(kind.__annotations__) == set(game.current.view_schema["properties"])


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def index() -> Iterator[str]:
    """The address of the site's index, over HTTP."""
    with make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/docs/simple/"
        server.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
def test_pip_installs_it_into_an_empty_environment_and_it_plays(python: str, index: str, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([python, "-m", "venv", venv], check=True)
    subprocess.run(
        [venv / "bin" / "pip", "install", "-q", "--no-input", "--index-url", index, "pecking"], check=True, timeout=300
    )
    (tmp_path / "bot.py").write_text(BOT)

    def peck(*arguments: str) -> str:
        command = [venv / "bin" / "peck", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300).stdout

    assert "game 2.2:" in peck("play", "pickomino", "bot.py", "bot.py", "--blocks", "2", "-j", "2", "--records", "kept")
    assert peck("check", "pickomino", "bot.py").startswith("bot.py: accepted for pickomino/1")
    assert peck("verify", "kept/game-1.1.peck").startswith("holds: pickomino/1")
    peck("watch", "kept/game-1.1.peck", "-o", "game.html")
    assert "replay-data" in (tmp_path / "game.html").read_text()
    fast = peck("play", "pickomino", "bot.py", "bot.py", "--blocks", "2", "--in-process", "--records", "fast")
    assert "game 2.2:" in fast
    assert (tmp_path / "fast/game-1.1.peck").read_bytes() == (tmp_path / "kept/game-1.1.peck").read_bytes()
    text = (
        "import pecking, pecking.views; from pecking.simulate import simulate; first = lambda view: view['actions'][0]"
        "; assert list(simulate('pickomino', [first, first], [1])); print(pecking.__version__)"
    )
    done = subprocess.run([venv / "bin" / "python", "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == VERSION
    listed = subprocess.run([venv / "bin" / "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in listed.splitlines()[2:]} <= {"pecking", "pip", "setuptools", "wheel"}
