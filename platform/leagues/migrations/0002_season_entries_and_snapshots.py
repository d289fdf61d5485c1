"""Rename Contender to SeasonEntry and Refit to RatingSnapshot. No data changes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0002_packages_apart"),
        ("league", "0001_first_release"),
    ]

    operations = [
        migrations.RenameModel(
            old_name="Refit",
            new_name="RatingSnapshot",
        ),
        migrations.RenameModel(
            old_name="Contender",
            new_name="SeasonEntry",
        ),
        migrations.AlterModelOptions(
            name="rating",
            options={"ordering": ["snapshot", "place"]},
        ),
        migrations.RemoveConstraint(
            model_name="rating",
            name="rating_once_per_refit_and_contender",
        ),
        migrations.RemoveConstraint(
            model_name="rating",
            name="place_unique_per_refit",
        ),
        migrations.RemoveConstraint(
            model_name="ratingsnapshot",
            name="refit_number_unique_per_season",
        ),
        migrations.RemoveConstraint(
            model_name="seasonentry",
            name="contender_state_known",
        ),
        migrations.RemoveConstraint(
            model_name="seasonentry",
            name="contender_benched_has_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="seasonentry",
            name="contender_prior_has_a_spread",
        ),
        migrations.RemoveConstraint(
            model_name="seasonentry",
            name="contender_since_it_returned",
        ),
        migrations.RenameField(
            model_name="rating",
            old_name="contender",
            new_name="entry",
        ),
        migrations.RenameField(
            model_name="rating",
            old_name="refit",
            new_name="snapshot",
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                models.F("snapshot"), models.F("entry"), name="rating_once_per_snapshot_and_entry"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                models.F("snapshot"), models.F("place"), name="place_unique_per_snapshot"
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingsnapshot",
            constraint=models.UniqueConstraint(
                models.F("season"), models.F("number"), name="snapshot_number_unique_per_season"
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["playing", "benched", "replaced", "left"])),
                name="season_entry_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "benched"), _negated=True), ("benched__isnull", False), _connector="OR"
                ),
                name="season_entry_benched_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("prior_sd__gt", 0)), name="season_entry_prior_has_a_spread"
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("since", 0), ("returned__isnull", False), _connector="OR"),
                name="season_entry_since_it_returned",
            ),
        ),
        migrations.AlterField(
            model_name="seasonentry",
            name="membership",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="season_entries", to="league.membership"
            ),
        ),
        migrations.AlterField(
            model_name="seasonentry",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="season_entries", to="league.season"
            ),
        ),
        migrations.AlterField(
            model_name="seasonentry",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="season_entries", to="bots.botversion"
            ),
        ),
    ]
