"""Two games of packages beside ours: nothing but their metadata says that they are there, as after ``pip install``."""

import sys
from pathlib import Path
from tempfile import mkdtemp

PACKAGES = Path(__file__).parents[2] / "packages"
PLACE = Path(mkdtemp(prefix="packages-of-games-"))
for _name in ("highcard", "pig"):
    _about = PLACE / f"pecking_order_{_name}-1.0.0.dist-info"
    _about.mkdir()
    (_about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pecking-order-{_name}\nVersion: 1.0.0\n")
    (_about / "entry_points.txt").write_text(f"[pecking_order.games]\n{_name} = pecking_order_{_name}:GAME\n")
    sys.path += [str(PLACE), str(PACKAGES / _name)]
