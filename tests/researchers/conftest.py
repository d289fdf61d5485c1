"""Games of packages beside ours: built as wheels and installed by pip, into a folder of this run."""

import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

PACKAGES = Path(__file__).parents[2] / "packages"
PLACE = mkdtemp(prefix="packages-of-games-")
HERE = ("--no-index", "--no-deps", "--no-build-isolation", "--no-compile", "--quiet", "--disable-pip-version-check")
FOLDERS = [PACKAGES / name for name in ("highcard", "openspiel", "pig")]
subprocess.run([sys.executable, "-m", "pip", "install", *HERE, "--target", PLACE, *FOLDERS], check=True)
sys.path.append(PLACE)
