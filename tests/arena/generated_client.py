"""A Python client made by openapi-python-client from the schema of the running app, asking the app in this process."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import httpx
from django.core.wsgi import get_wsgi_application

from tests.arena.openapi import description

PACKAGE = "pecking_client"


def generate(directory: Path) -> None:
    """Write the package into ``directory`` and make it importable; a warning of the generator fails."""
    schema = directory / "schema.json"
    schema.write_text(json.dumps(description()))
    config = directory / "config.json"  # the generator's own way to be told that an archive is bytes
    config.write_text(json.dumps({"content_type_overrides": {"application/zip": "application/octet-stream"}}))
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # the generator calls ruff
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(schema), "--meta", "none"]
    command += ["--output-path", str(directory / PACKAGE), "--fail-on-warning", "--config", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": tools})
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(directory))
    importlib.invalidate_caches()


class Caller:
    """Calls operations by the id that the schema gives them, with one person's token."""

    def __init__(self, token: str, around: Callable[[Callable[[], Any]], Any]) -> None:
        """``around`` makes each call, and may do more after it."""
        transport = httpx.WSGITransport(app=get_wsgi_application())
        self._client = _module("client").AuthenticatedClient(
            base_url="http://testserver", token=token, prefix="Token", httpx_args={"transport": transport}
        )
        self._around = around
        self.called: set[str] = set()

    def __call__(self, operation: str, *path: Any, body: dict[str, Any] | None = None, **query: Any) -> Any:
        """The parsed answer, which must be one of 2xx. ``body`` is read into the operation's own model."""
        module = _module(f"api.{operation.partition('_')[0]}.{operation}")
        if body is not None:
            model = module.sync_detailed.__annotations__["body"]
            query["body"] = next(iter(get_args(model)), model).from_dict(body)  # ``Model | Unset`` if all is optional
        answer = self._around(lambda: module.sync_detailed(*path, client=self._client, **query))
        self.headers = answer.headers
        assert 200 <= answer.status_code < 300, (operation, answer.status_code, answer.content[:500])
        assert (answer.parsed is None) == (answer.status_code == 204), (operation, answer.content[:200])
        self.called.add(operation)
        return answer.parsed

    def upload(self, bot: str, source: bytes) -> Any:
        """The version made of ``source``."""
        file = _module("types").File(payload=BytesIO(source), file_name="bot.py")
        model = _module("models").UploadRequest(file=file)
        module = _module("api.bots.bots_versions_create")
        return self._around(lambda: module.sync(bot, client=self._client, body=model))


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{name}")
