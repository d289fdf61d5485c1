"""Uploads are judged by the site's own reader, so Django is made ready here where pytest has not done it."""

import os

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
    django.setup()
