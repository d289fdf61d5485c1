"""Bots: their authors, their immutable versions, and the checks after which a version is accepted."""
