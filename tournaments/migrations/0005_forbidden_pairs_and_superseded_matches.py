"""Rename KeptApart to ForbiddenPair and Displaced to SupersededMatch. No data changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_analysis_kept"),
        ("tournaments", "0004_premiere_of_a_round"),
    ]

    operations = [
        migrations.RenameModel(
            old_name="KeptApart",
            new_name="ForbiddenPair",
        ),
        migrations.RenameModel(
            old_name="Displaced",
            new_name="SupersededMatch",
        ),
        migrations.AlterModelOptions(
            name="supersededmatch",
            options={"ordering": ["round", "table", "attempt"], "verbose_name_plural": "superseded matches"},
        ),
        migrations.RemoveConstraint(
            model_name="forbiddenpair",
            name="pair_kept_apart_once",
        ),
        migrations.RemoveConstraint(
            model_name="forbiddenpair",
            name="pair_kept_apart_in_order",
        ),
        migrations.RemoveConstraint(
            model_name="supersededmatch",
            name="displaced_was_an_attempt",
        ),
        migrations.AddConstraint(
            model_name="forbiddenpair",
            constraint=models.UniqueConstraint(models.F("one"), models.F("other"), name="forbidden_pair_once"),
        ),
        migrations.AddConstraint(
            model_name="forbiddenpair",
            constraint=models.CheckConstraint(
                condition=models.Q(("one__lt", models.F("other"))), name="forbidden_pair_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="supersededmatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("attempt__gte", 1)), name="superseded_match_was_an_attempt"
            ),
        ),
        migrations.AlterField(
            model_name="forbiddenpair",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="forbidden_pairs", to="tournaments.tournament"
            ),
        ),
        migrations.AlterField(
            model_name="supersededmatch",
            name="match",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="superseded", to="matches.match"
            ),
        ),
        migrations.AlterField(
            model_name="supersededmatch",
            name="rewound",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="superseded",
                to="tournaments.rewound",
            ),
        ),
        migrations.AlterField(
            model_name="supersededmatch",
            name="ruling",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="superseded", to="tournaments.ruling"
            ),
        ),
        migrations.AlterField(
            model_name="supersededmatch",
            name="stage",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="superseded",
                to="tournaments.stage",
            ),
        ),
    ]
