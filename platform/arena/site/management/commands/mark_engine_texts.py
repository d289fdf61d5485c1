"""Write ``marked_texts.py``, in which gettext finds the texts of the engine."""

from typing import Any

from django.core.management.base import BaseCommand

from arena.site.engine_texts import MARKED, engine_texts_source


class Command(BaseCommand):
    help = "Write the module in which makemessages finds the texts of games and house bots."

    def handle(self, *args: Any, **options: Any) -> None:
        MARKED.write_text(engine_texts_source())
