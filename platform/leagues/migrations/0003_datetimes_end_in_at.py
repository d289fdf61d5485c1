"""Let the names of datetimes end in _at and of booleans begin with is_ or has_; no data changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0003_datetimes_end_in_at"),
        ("league", "0002_season_entries_and_snapshots"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="league",
            options={"ordering": ["-created_at", "-pk"]},
        ),
        migrations.AlterModelOptions(
            name="membership",
            options={"ordering": ["joined_at", "pk"]},
        ),
        migrations.RemoveConstraint(
            model_name="season",
            name="season_finished_has_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="season",
            name="season_ends_later",
        ),
        migrations.RemoveConstraint(
            model_name="seasonentry",
            name="season_entry_benched_has_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="seasonentry",
            name="season_entry_since_it_returned",
        ),
        migrations.RenameField(
            model_name="league",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="membership",
            old_name="joined",
            new_name="joined_at",
        ),
        migrations.RenameField(
            model_name="rating",
            old_name="provisional",
            new_name="is_provisional",
        ),
        migrations.RenameField(
            model_name="ratingsnapshot",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="season",
            old_name="ends",
            new_name="ends_at",
        ),
        migrations.RenameField(
            model_name="season",
            old_name="finished",
            new_name="finished_at",
        ),
        migrations.RenameField(
            model_name="season",
            old_name="starts",
            new_name="starts_at",
        ),
        migrations.RenameField(
            model_name="seasonentry",
            old_name="benched",
            new_name="benched_at",
        ),
        migrations.RenameField(
            model_name="seasonentry",
            old_name="joined",
            new_name="joined_at",
        ),
        migrations.RenameField(
            model_name="seasonentry",
            old_name="returned",
            new_name="returned_at",
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", False), ("state", "finished")),
                    models.Q(models.Q(("state", "finished"), _negated=True), ("finished_at__isnull", True)),
                    _connector="OR",
                ),
                name="season_finished_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__isnull", True), ("ends_at__gt", models.F("starts_at")), _connector="OR"),
                name="season_ends_later",
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "benched"), _negated=True), ("benched_at__isnull", False), _connector="OR"
                ),
                name="season_entry_benched_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("since", 0), ("returned_at__isnull", False), _connector="OR"),
                name="season_entry_since_it_returned",
            ),
        ),
    ]
