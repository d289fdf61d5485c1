"""A tournament starts by itself at its time. What was left standing before that was so is left to its organiser."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from django.utils import timezone


def leave_standing(apps, schema_editor):
    late = apps.get_model("tournaments", "Tournament").objects.filter(
        state__in=["open", "locked"], first_round_at__lte=timezone.now()
    )
    late.update(starts_missed=2)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_luck_frozen_digest"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="entries_missed",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="starts_missed",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=Q(starts_missed__lte=2), name="tournament_misses_two_starts_at_most"
            ),
        ),
        migrations.RunPython(leave_standing, migrations.RunPython.noop),
    ]
