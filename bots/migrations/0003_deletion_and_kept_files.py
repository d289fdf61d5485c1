"""Bots and versions can be deleted, and files are not kept for ever."""

from django.db import migrations, models
from django.db.models import F, Q


def all_kept(apps, schema_editor):
    apps.get_model("bots", "BotVersion").objects.update(kept=F("size"))


class Migration(migrations.Migration):
    dependencies = [("bots", "0002_alter_bot_name")]

    operations = [
        migrations.AddField("bot", "deleted", models.DateTimeField(null=True, blank=True)),
        migrations.AddField("botversion", "kept", models.PositiveIntegerField(default=0)),
        migrations.RunPython(all_kept, migrations.RunPython.noop),
        migrations.AlterField(
            "botversion",
            "state",
            models.CharField(
                max_length=10,
                default="queued",
                choices=[
                    ("queued", "waiting to be checked"),
                    ("checking", "being checked"),
                    ("accepted", "accepted"),
                    ("refused", "refused"),
                    ("deleted", "deleted"),
                ],
            ),
        ),
        migrations.RemoveConstraint("botversion", "version_state_known"),
        migrations.AddConstraint(
            "botversion",
            models.CheckConstraint(
                condition=Q(state__in=["queued", "checking", "accepted", "refused", "deleted"]),
                name="version_state_known",
            ),
        ),
        migrations.AddConstraint(
            "botversion",
            models.CheckConstraint(condition=Q(kept=F("size")) | Q(kept=0), name="version_kept_whole_or_not"),
        ),
        migrations.AddConstraint(
            "bot",
            models.CheckConstraint(
                condition=Q(deleted__isnull=True) | Q(current__isnull=True), name="bot_deleted_plays_no_more"
            ),
        ),
        migrations.AddIndex(
            "botversion",
            models.Index(F("state"), name="version_to_prune", condition=Q(kept__gt=0, state__in=["refused", "deleted"])),
        ),
    ]
