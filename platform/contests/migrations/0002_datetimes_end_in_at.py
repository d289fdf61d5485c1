"""Let the names of datetimes end in _at and of booleans begin with is_ or has_; no data changes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("organisers", "0001_first_release"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="organiserchange",
            options={
                "ordering": ["-created_at", "-pk"],
                "verbose_name": "change of an organiser",
                "verbose_name_plural": "changes of organisers",
            },
        ),
        migrations.AlterModelOptions(
            name="organiserrequest",
            options={
                "ordering": ["-created_at", "-pk"],
                "verbose_name": "request to become an organiser",
                "verbose_name_plural": "requests to become an organiser",
            },
        ),
        migrations.RemoveConstraint(
            model_name="organiserrequest",
            name="person_asks_once_at_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="organiserrequest",
            name="request_decided_has_a_time",
        ),
        migrations.RenameField(
            model_name="organiserchange",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="organiserchange",
            old_name="granted",
            new_name="is_granted",
        ),
        migrations.RenameField(
            model_name="organiserrequest",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="organiserrequest",
            old_name="decided",
            new_name="decided_at",
        ),
        migrations.RenameField(
            model_name="organiserrequest",
            old_name="granted",
            new_name="is_granted",
        ),
        migrations.AddConstraint(
            model_name="organiserrequest",
            constraint=models.UniqueConstraint(
                models.F("person"), condition=models.Q(("decided_at__isnull", True)), name="person_asks_once_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="organiserrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("is_granted__isnull", True)),
                    models.Q(("decided_at__isnull", False), ("is_granted__isnull", False)),
                    _connector="OR",
                ),
                name="request_decided_has_a_time",
            ),
        ),
    ]
