"""Name columns premieres_at and min_action_ms; no data changes."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_datetimes_end_in_at")]

    operations = [
        migrations.RemoveConstraint(model_name="round", name="round_premiere_has_a_tempo"),
        migrations.RenameField(model_name="round", old_name="premiere", new_name="premieres_at"),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=Q(premieres_at__isnull=True, tempo="") | (Q(premieres_at__isnull=False) & ~Q(tempo="")),
                name="round_premiere_has_a_tempo",
            ),
        ),
        migrations.RenameField(model_name="tournament", old_name="pace_ms", new_name="min_action_ms"),
    ]
