"""The third answer of a series, that it is too close to call."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("matches", "0009_order_of_the_queue")]

    operations = [
        migrations.RemoveConstraint("match", "match_ending_known"),
        migrations.AddConstraint(
            "match",
            models.CheckConstraint(
                condition=Q(
                    ending__in=["", "first_better", "second_better", "too_close", "undecided", "forfeited"]
                ),
                name="match_ending_known",
            ),
        ),
    ]
