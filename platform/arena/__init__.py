"""The Django project: composition root, people, site-wide pages. Nothing of ours imports it."""

from arena.celery_app import app as celery_app

__all__ = ["celery_app"]
