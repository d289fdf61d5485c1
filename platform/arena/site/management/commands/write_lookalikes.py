"""Write the table of letters that look alike, from Unicode's list of confusables."""

import json
import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bots.lookalikes import TABLE

VERSION = re.compile(r"^# Version: ([\d.]+)$", re.MULTILINE)
ROW = re.compile(r"^([0-9A-F]+) ;\s*([0-9A-F ]+?) ;\s*MA\b", re.MULTILINE)


class Command(BaseCommand):
    help = f"Write bots/{TABLE} from confusables.txt, a data file of Unicode's report 39 (unicode.org/Public/security)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="confusables.txt of a version of Unicode")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        text = file.read_text(encoding="utf-8-sig")
        version = VERSION.search(text)
        rows = ROW.findall(text)
        if version is None or not rows:
            raise CommandError(f"{file} is not confusables.txt of Unicode.")
        prototypes = {chr(int(letter, 16)): "".join(chr(int(one, 16)) for one in to.split()) for letter, to in rows}
        content = {"source": f"confusables.txt, Unicode {version[1]}, (c) Unicode, Inc.", "prototypes": prototypes}
        written = json.dumps(content, sort_keys=True, indent=0)  # ASCII: no combining marks in editors
        (settings.BASE_DIR / "bots" / TABLE).write_text(f"{written}\n", encoding="utf-8")
        self.stdout.write(f"Unicode {version[1]}: {len(prototypes)} letters.")
