from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in a folder of its own: ``peck`` writes beside where it is called."""
    folder: Path = tmp_path_factory.mktemp("cwd")
    monkeypatch.chdir(folder)
