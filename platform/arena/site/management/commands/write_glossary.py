"""Write docs/reference/glossary.md."""

from typing import Any

from django.core.management.base import BaseCommand

from arena.site.glossary import GLOSSARY, glossary_markdown


class Command(BaseCommand):
    help = "Write docs/reference/glossary.md from the terms of the site's glossary."

    def handle(self, *args: Any, **options: Any) -> None:
        GLOSSARY.write_text(glossary_markdown(), encoding="utf-8")
