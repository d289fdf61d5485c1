"""Where the embedded parts keep their files."""

import hashlib
import os
import tempfile
from pathlib import Path

LONGEST_SOCKET_PATH = 100  # the kernel's own limit is 107 bytes, and Valkey adds to the name while it binds


def socket_path(var_dir: Path) -> Path:
    """The Valkey socket of the site whose data lie in ``var_dir``, the same for every process of that site.

    It lies in ``var_dir``, or, where that would be too long a name for a socket, in a directory of its own below the
    system's temporary one. Creates nothing: ``private_directory`` does.
    """
    path = var_dir.absolute() / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.blake2b(os.fsencode(path), digest_size=8).hexdigest()
    return Path(tempfile.gettempdir()) / f"pecking-order-{os.getuid()}-{digest}" / path.name


def private_directory(path: Path) -> None:
    """Make ``path`` a directory of ours that nobody else may enter.

    Raises:
        PermissionError: it is there already and is not so, as when someone else guessed the name first.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if path.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} must be a directory that only you can enter: remove it, or 'chmod 700' it")
