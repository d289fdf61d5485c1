"""Which formats there are, and what each allows, is said by ``tournaments.formats.registry`` alone.

The choices are asked for when they are needed, and the constraints that named formats go: with them one more format, or
a change in what one allows, would need a migration. ``Stage.save`` holds each stage to its format instead.
"""

from django.db import migrations, models
from django.db.models import Q

from tournaments.models.stage import format_choices

NAMED = (
    "stage_format_known",
    "stage_swiss_has_a_round",
    "stage_for_two_has_tables_of_two",
    "stage_heats_have_larger_tables",
    "stage_third_place_of_a_knockout",
)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0025_invitations")]

    operations = [
        *(migrations.RemoveConstraint("stage", name) for name in NAMED),
        migrations.AlterField(
            "stage",
            "format",
            models.CharField(choices=format_choices, default="round_robin", max_length=20, verbose_name="format"),
        ),
        migrations.AddConstraint(
            "stage", models.CheckConstraint(condition=~Q(format=""), name="stage_has_a_format")
        ),
    ]
