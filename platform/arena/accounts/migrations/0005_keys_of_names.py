"""Names and addresses get keys, by which no two accounts are told apart, and administrators their addresses confirmed."""

import sys

import web.name_keys
from django.db import migrations


def fill(apps, schema_editor):
    """Who came first has the key. Of the others nobody is renamed and nobody locked out: they sign in by the exact
    spelling, and whoever runs the site reads who they are."""
    for text, other in web.name_keys.name_keys_fill(apps.get_model("accounts", "User")):
        sys.stderr.write(
            f"\n  {text} is another account than {other}, which was there first. It goes on under its exact spelling;"
            " rename one of the two in /admin/."
        )


def confirm_addresses_of_superusers(apps, schema_editor):
    """Whoever made them by the command may do anything; letters that never came may have locked them out."""
    EmailAddress = apps.get_model("account", "EmailAddress")
    for person in apps.get_model("accounts", "User").objects.filter(is_superuser=True).exclude(email=""):
        email = person.email.lower()
        if EmailAddress.objects.filter(user=person, verified=True).exists():
            continue
        if EmailAddress.objects.filter(email=email, verified=True).exists():
            continue
        EmailAddress.objects.filter(user=person).update(primary=False)
        EmailAddress.objects.update_or_create(user=person, email=email, defaults={"verified": True, "primary": True})


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_scope_of_hooks"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [
        migrations.AlterModelManagers(name="user", managers=[]),
        migrations.AddField(
            model_name="user",
            name="email_key",
            field=web.name_keys.KeyField(default=None, editable=False, null=True, of="email", unique=True),
        ),
        migrations.AddField(
            model_name="user",
            name="username_key",
            field=web.name_keys.KeyField(default=None, editable=False, null=True, of="username", unique=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=False),
        migrations.RunPython(confirm_addresses_of_superusers, migrations.RunPython.noop),
    ]
