"""Viewers, as of the sockets of matches."""

from tests.matches.live.conftest import visit as visit
