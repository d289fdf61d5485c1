"""Let the names of datetimes end in _at and of booleans begin with is_ or has_; no data changes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0003_datetimes_end_in_at"),
        ("tournaments", "0005_forbidden_pairs_and_superseded_matches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="entry",
            options={"ordering": ["created_at", "pk"], "verbose_name_plural": "entries"},
        ),
        migrations.AlterModelOptions(
            name="tournament",
            options={"ordering": ["-created_at"]},
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="entry_withdrawal_known",
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="entry_that_is_in_has_not_left",
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="entry_out_for_any_reason_is_withdrawn",
        ),
        migrations.RemoveConstraint(
            model_name="invitation",
            name="invitation_that_holds_was_made",
        ),
        migrations.RemoveConstraint(
            model_name="luck",
            name="luck_frozen_has_entries",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_finishes_after_its_start",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_draws_after_its_start",
        ),
        migrations.RemoveConstraint(
            model_name="tournament",
            name="tournament_started_has_a_time",
        ),
        migrations.RemoveConstraint(
            model_name="tournament",
            name="tournament_finished_has_a_time",
        ),
        migrations.RemoveIndex(
            model_name="tournament",
            name="tournament_running",
        ),
        migrations.RenameField(
            model_name="entry",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="entry",
            old_name="withdrawn",
            new_name="is_withdrawn",
        ),
        migrations.RenameField(
            model_name="forbiddenpair",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="invitation",
            old_name="made",
            new_name="made_at",
        ),
        migrations.RenameField(
            model_name="luck",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="luck",
            old_name="frozen",
            new_name="frozen_at",
        ),
        migrations.RenameField(
            model_name="luck",
            old_name="begun",
            new_name="started_at",
        ),
        migrations.RenameField(
            model_name="nonce",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="round",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="round",
            old_name="started",
            new_name="started_at",
        ),
        migrations.RenameField(
            model_name="ruling",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="stage",
            old_name="finished",
            new_name="finished_at",
        ),
        migrations.RenameField(
            model_name="stage",
            old_name="third_place",
            new_name="has_third_place",
        ),
        migrations.RenameField(
            model_name="stage",
            old_name="started",
            new_name="started_at",
        ),
        migrations.RenameField(
            model_name="supersededmatch",
            old_name="started",
            new_name="started_at",
        ),
        migrations.RenameField(
            model_name="tournament",
            old_name="created",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="tournament",
            old_name="finished",
            new_name="finished_at",
        ),
        migrations.RenameField(
            model_name="tournament",
            old_name="review_rounds",
            new_name="has_round_review",
        ),
        migrations.RenameField(
            model_name="tournament",
            old_name="started",
            new_name="started_at",
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                models.F("created_at"), condition=models.Q(("state", "running")), name="tournament_running"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("withdrawn_because", ""),
                    models.Q(("is_withdrawn", True), ("withdrawn_because__in", ["forfeits", "deleted"])),
                    _connector="OR",
                ),
                name="entry_withdrawal_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_withdrawn", True), ("withdrawn_at__isnull", True), _connector="OR"),
                name="entry_that_is_in_has_not_left",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("is_withdrawn", True),
                    models.Q(("left_at__isnull", True), ("struck_at__isnull", True)),
                    _connector="OR",
                ),
                name="entry_out_for_any_reason_is_withdrawn",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("digest", ""), models.Q(("made_at__isnull", False), ("number__gte", 1)), _connector="OR"
                ),
                name="invitation_that_holds_was_made",
            ),
        ),
        migrations.AddConstraint(
            model_name="luck",
            constraint=models.CheckConstraint(
                condition=models.Q(("frozen_at__isnull", True), ("entries__isnull", False), _connector="OR"),
                name="luck_frozen_has_entries",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("finished_at__isnull", True), ("started_at__isnull", False), _connector="OR"),
                name="stage_finishes_after_its_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("drawn", 0), ("started_at__isnull", False), _connector="OR"),
                name="stage_draws_after_its_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("started_at__isnull", False),
                    models.Q(("state__in", ["running", "paused", "finished"]), _negated=True),
                    _connector="OR",
                ),
                name="tournament_started_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", False), ("state", "finished")),
                    models.Q(models.Q(("state", "finished"), _negated=True), ("finished_at__isnull", True)),
                    _connector="OR",
                ),
                name="tournament_finished_has_a_time",
            ),
        ),
    ]
