"""The Django project: settings, ASGI and Celery applications, user accounts and site-wide pages. No other room imports
it."""

from arena.celery_app import app as celery_app

__all__ = ["celery_app"]
