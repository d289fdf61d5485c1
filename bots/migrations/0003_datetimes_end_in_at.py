"""Let the names of datetimes end in _at and of booleans begin with is_ or has_; no data changes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0002_packages_apart"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="bot",
            name="bot_deleted_plays_no_more",
        ),
        migrations.RemoveConstraint(
            model_name="botversion",
            name="version_verdict_has_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="botversion",
            name="version_leased_only_while_open",
        ),
        migrations.RenameField(
            model_name="bot",
            old_name="chosen",
            new_name="chosen_at",
        ),
        migrations.RenameField(
            model_name="bot",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="bot",
            old_name="deleted",
            new_name="deleted_at",
        ),
        migrations.RenameField(
            model_name="botversion",
            old_name="begun",
            new_name="check_started_at",
        ),
        migrations.RenameField(
            model_name="botversion",
            old_name="checked",
            new_name="checked_at",
        ),
        migrations.RenameField(
            model_name="botversion",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="botversion",
            old_name="lease_until",
            new_name="lease_expires_at",
        ),
        migrations.AddConstraint(
            model_name="bot",
            constraint=models.CheckConstraint(
                condition=models.Q(("deleted_at__isnull", True), ("current__isnull", True), _connector="OR"),
                name="bot_deleted_plays_no_more",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("checked_at__isnull", False),
                    models.Q(("state__in", ["accepted", "refused"]), _negated=True),
                    _connector="OR",
                ),
                name="version_verdict_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("lease_expires_at__isnull", True), ("state__in", ["queued", "checking"]), _connector="OR"
                ),
                name="version_leased_only_while_open",
            ),
        ),
    ]
