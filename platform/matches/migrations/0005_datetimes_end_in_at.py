"""Let the names of datetimes end in _at and of booleans begin with is_ or has_; no data changes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_analysis_kept"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="analysis",
            name="analysis_dropped_has_sums",
        ),
        migrations.RemoveConstraint(
            model_name="match",
            name="match_leased_exactly_while_running",
        ),
        migrations.RemoveConstraint(
            model_name="match",
            name="match_finished_has_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="match",
            name="match_on_air_has_its_times",
        ),
        migrations.RemoveIndex(
            model_name="analysis",
            name="analysis_asked_lately",
        ),
        migrations.RemoveIndex(
            model_name="analysis",
            name="analysis_to_be_made",
        ),
        migrations.RemoveIndex(
            model_name="analysis",
            name="analysis_to_be_dropped",
        ),
        migrations.RemoveIndex(
            model_name="fault",
            name="fault_kept_by_seat",
        ),
        migrations.RemoveIndex(
            model_name="match",
            name="match_open_by_age",
        ),
        migrations.RemoveIndex(
            model_name="match",
            name="match_queued_by_account",
        ),
        migrations.RemoveIndex(
            model_name="match",
            name="match_finished_newest_first",
        ),
        migrations.RemoveIndex(
            model_name="match",
            name="match_on_air_by_end",
        ),
        migrations.RenameField(
            model_name="account",
            old_name="paced",
            new_name="is_paced",
        ),
        migrations.RenameField(
            model_name="analysis",
            old_name="taken",
            new_name="claimed_at",
        ),
        migrations.RenameField(
            model_name="analysis",
            old_name="kept",
            new_name="is_kept",
        ),
        migrations.RenameField(
            model_name="analysis",
            old_name="ordered",
            new_name="is_ordered",
        ),
        migrations.RenameField(
            model_name="analysis",
            old_name="asked",
            new_name="requested_at",
        ),
        migrations.RenameField(
            model_name="analysis",
            old_name="asked_by",
            new_name="requested_by",
        ),
        migrations.RenameField(
            model_name="contest",
            old_name="news_since",
            new_name="news_at",
        ),
        migrations.RenameField(
            model_name="contest",
            old_name="told",
            new_name="notified_at",
        ),
        migrations.RenameField(
            model_name="fault",
            old_name="kept",
            new_name="is_kept",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="airs_until",
            new_name="air_ends_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="airs",
            new_name="airs_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="due",
            new_name="dispatch_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="finished",
            new_name="finished_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="lease_until",
            new_name="lease_expires_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="finished_task",
            new_name="on_finished_task",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="let_go",
            new_name="released_at",
        ),
        migrations.RenameField(
            model_name="match",
            old_name="started",
            new_name="started_at",
        ),
        migrations.RenameField(
            model_name="seat",
            old_name="forfeited",
            new_name="has_forfeited",
        ),
        migrations.RenameField(
            model_name="workerpresence",
            old_name="seen",
            new_name="seen_at",
        ),
        migrations.AddIndex(
            model_name="analysis",
            index=models.Index(models.F("requested_by"), models.F("requested_at"), name="analysis_asked_lately"),
        ),
        migrations.AddIndex(
            model_name="analysis",
            index=models.Index(
                models.F("claimed_at"),
                condition=models.Q(("is_kept", True), ("told__isnull", True)),
                name="analysis_to_be_made",
            ),
        ),
        migrations.AddIndex(
            model_name="analysis",
            index=models.Index(
                models.F("claimed_at"), condition=models.Q(("told__isnull", False)), name="analysis_to_be_dropped"
            ),
        ),
        migrations.AddIndex(
            model_name="fault",
            index=models.Index(models.F("seat"), condition=models.Q(("is_kept", True)), name="fault_kept_by_seat"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.F("created_at"),
                condition=models.Q(("state__in", ["queued", "running"])),
                name="match_open_by_age",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.F("air_ends_at"), condition=models.Q(("state", "on_air")), name="match_on_air_by_end"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.F("account"),
                models.F("dispatch_at"),
                models.F("id"),
                condition=models.Q(("state", "queued")),
                name="match_queued_by_account",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.OrderBy(models.F("finished_at"), descending=True),
                condition=models.Q(("state", "finished")),
                name="match_finished_newest_first",
            ),
        ),
        migrations.AddConstraint(
            model_name="analysis",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("is_kept", True), models.Q(("sums__isnull", False), ("told__isnull", True)), _connector="OR"
                ),
                name="analysis_dropped_has_sums",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_expires_at__isnull", False), ("state", "running")),
                    models.Q(models.Q(("state", "running"), _negated=True), ("lease_expires_at__isnull", True)),
                    _connector="OR",
                ),
                name="match_leased_exactly_while_running",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "on_air"), _negated=True),
                    models.Q(
                        models.Q(("tempo", ""), _negated=True),
                        ("air_ends_at__gte", models.F("airs_at")),
                        ("air_ends_at__isnull", False),
                        ("airs_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="match_on_air_has_its_times",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", False), ("state", "finished")),
                    models.Q(models.Q(("state", "finished"), _negated=True), ("finished_at__isnull", True)),
                    _connector="OR",
                ),
                name="match_finished_has_a_time",
            ),
        ),
    ]
