#!/usr/bin/env python
"""Django's command line, on the embedded defaults unless DJANGO_SETTINGS_MODULE says otherwise."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.dev")
    from django.core.management import execute_from_command_line
    from django.db import InterfaceError, OperationalError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, InterfaceError):
        from arena.reachable import reachable_database_require

        reachable_database_require()
        raise  # it answers: the command itself is at fault
