"""Packages of games as pip leaves them behind, for tests that cannot install anything."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.site import author_kit
from arena.site.game_packages import game_packages_given
from arena.site.package_index import package_index_wheel
from games.catalogue import GAMES, PACKAGES
from games.catalogue.discovery import GROUP
from tests.games.sample import FOLDER, pig

NAME = "pecking-order-pig"
MODULES = FOLDER / "pig" / "pecking_order_pig"
Install = Callable[..., Path]


def forget() -> None:
    for cached in (game_packages_given, package_index_wheel, author_kit.kit_browser_file):
        cached.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """What pip leaves behind: Pig's modules, or ``files``, with metadata beside them."""
    site = tmp_path / "site-packages"
    site.mkdir()
    monkeypatch.syspath_prepend(site)

    def installed(
        name: str = NAME,
        *,
        files: dict[str, bytes] | None = None,
        about: str = "",
        game: str = "pig",
        listed: tuple[str, ...] = (),
        pure: bool = True,
    ) -> Path:
        stem = f"{name.replace('-', '_')}-1.0.0.dist-info"
        if files is None:
            shutil.copytree(MODULES, site / MODULES.name, ignore=shutil.ignore_patterns("__pycache__"))
        for path, data in (files or {}).items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_bytes(data)
        written = files or [one.relative_to(site) for one in (site / MODULES.name).rglob("*") if one.is_file()]
        folder = site / stem
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0.0\n{about}")
        (folder / "WHEEL").write_text(f"Wheel-Version: 1.0\nRoot-Is-Purelib: {str(pure).lower()}\n")
        (folder / "INSTALLER").write_text("pip")
        (folder / "direct_url.json").write_text(json.dumps({"url": f"file://{tmp_path}", "dir_info": {}}))
        if game:
            (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{game} = pecking_order_pig:GAME\n")
            monkeypatch.setitem(PACKAGES, game, (name, "1.0.0"))  # type: ignore[arg-type]
            monkeypatch.setitem(GAMES, game, pig.GAME)  # type: ignore[arg-type]
        names = [*map(str, written), *listed, *(f"{stem}/{one.name}" for one in folder.iterdir()), f"{stem}/RECORD"]
        (folder / "RECORD").write_text("".join(f"{one},,\n" for one in names))
        forget()
        return site

    yield installed
    forget()
