"""Tokens that had no end get a year from now."""

from datetime import timedelta

from django.db import migrations
from django.utils import timezone


def give_a_year(apps, schema_editor):
    tokens = apps.get_model("accounts", "AccessToken").objects
    tokens.filter(expiry=None).update(expiry=timezone.now() + timedelta(days=365))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_accesstoken_last_used")]

    operations = [
        migrations.RunPython(give_a_year, migrations.RunPython.noop),
    ]
