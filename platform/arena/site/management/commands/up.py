"""Start the whole site on this machine."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.embedded.launch import CannotStart, LaunchPlan, embedded_launch


class Command(BaseCommand):
    help = "Migrate, start Valkey, the workers and the web server, and keep them running until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="matches played at a time")
        parser.add_argument("--no-demo", dest="demo", action="store_false", help="start without the demo")

        parser.add_argument("--playground", action="store_true", help="install the playground by npm after the start")

    def handle(
        self, *args: Any, host: str, port: int, workers: int, demo: bool, playground: bool, **options: Any
    ) -> None:
        plan = LaunchPlan(host=host, port=port, workers=max(1, workers), demo=demo, playground=playground)
        try:
            embedded_launch(plan, self._say)
        except CannotStart as error:
            raise CommandError(str(error), returncode=error.code) from None

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
