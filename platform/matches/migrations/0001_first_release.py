"""The tables as of 0.1.0. A database that has applied all migrations in ``replaces`` has these tables already."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("matches", "0001_initial"),
        ("matches", "0002_series"),
        ("matches", "0003_audience"),
        ("matches", "0004_workers_lost"),
        ("matches", "0005_since_when_a_match_may_be_played"),
        ("matches", "0006_clocks_of_workers"),
        ("matches", "0007_what_faults_keep"),
        ("matches", "0008_shares_and_slices"),
        ("matches", "0009_order_of_the_queue"),
        ("matches", "0010_too_close_to_call"),
    ]

    dependencies = [
        ("bots", "0001_first_release"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("name", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("paced", models.BooleanField(default=False)),
                ("spent", models.FloatField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Contest",
            fields=[
                ("name", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("block_seconds", models.FloatField(blank=True, null=True)),
                ("news_since", models.DateTimeField(blank=True, null=True)),
                ("told", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="WorkerPresence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, unique=True)),
                ("seen", models.DateTimeField()),
                ("denied", models.TextField(blank=True)),
                ("slots", models.PositiveIntegerField(default=1)),
                ("clock_ahead", models.FloatField(default=0)),
            ],
            options={
                "verbose_name": "worker",
                "verbose_name_plural": "workers",
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=30)),
                ("options", models.JSONField(default=dict)),
                ("limits", models.JSONField(default=dict)),
                ("blocks", models.PositiveIntegerField(default=1)),
                ("stopping", models.JSONField(blank=True, default=dict)),
                ("blocks_played", models.PositiveIntegerField(blank=True, null=True)),
                ("ending", models.CharField(blank=True, max_length=20)),
                ("llr", models.FloatField(blank=True, null=True)),
                ("pace_ms", models.PositiveIntegerField(default=0)),
                ("secret", models.BinaryField(max_length=32)),
                (
                    "audience",
                    models.CharField(
                        choices=[
                            ("everyone", "everyone"),
                            ("authors", "the authors of its bots"),
                            ("organiser", "its organiser"),
                        ],
                        default="everyone",
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("held", "held"),
                            ("queued", "queued"),
                            ("running", "playing"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("blocks_kept", models.PositiveIntegerField(default=0)),
                ("worker", models.CharField(blank=True, max_length=100)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("due", models.DateTimeField(default=django.utils.timezone.now)),
                ("platform_faults", models.PositiveIntegerField(default=0)),
                ("workers_lost", models.PositiveIntegerField(default=0)),
                ("last_platform_fault", models.CharField(blank=True, max_length=300)),
                ("finished_task", models.CharField(blank=True, max_length=80)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("let_go", models.DateTimeField(default=django.utils.timezone.now)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("worker_speed", models.FloatField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="matches.account",
                    ),
                ),
                (
                    "contest",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="matches.contest",
                    ),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("attempt", models.PositiveIntegerField()),
                ("index", models.PositiveIntegerField()),
                ("record", models.BinaryField()),
                ("points", models.JSONField()),
                ("places", models.JSONField()),
                ("reason", models.CharField(max_length=40)),
                ("tie_break", models.CharField(blank=True, max_length=40)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="games", to="matches.match"
                    ),
                ),
            ],
            options={
                "ordering": ["index"],
            },
        ),
        migrations.CreateModel(
            name="MatchLog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("attempt", models.PositiveIntegerField()),
                ("game", models.PositiveIntegerField()),
                ("seed", models.BinaryField(max_length=32)),
                ("actions", models.TextField(blank=True, default="")),
                ("interventions", models.JSONField(blank=True, default=list)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="logs", to="matches.match"
                    ),
                ),
            ],
            options={
                "ordering": ["attempt", "game"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveSmallIntegerField()),
                ("score", models.FloatField(blank=True, null=True)),
                ("points", models.IntegerField(blank=True, null=True)),
                ("wins", models.PositiveIntegerField(blank=True, null=True)),
                ("places", models.JSONField(blank=True, default=list)),
                ("faulty_games", models.PositiveIntegerField(default=0)),
                ("forfeited", models.BooleanField(default=False)),
                ("cpu_ms", models.FloatField(blank=True, null=True)),
                ("slowest_ms", models.FloatField(blank=True, null=True)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="matches.match"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="bots.botversion"
                    ),
                ),
            ],
            options={
                "ordering": ["index"],
            },
        ),
        migrations.CreateModel(
            name="Fault",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("verdict", models.CharField(max_length=20)),
                ("action_index", models.PositiveIntegerField()),
                ("exception", models.CharField(blank=True, max_length=200)),
                ("detail", models.TextField(blank=True)),
                ("line", models.PositiveIntegerField(blank=True, null=True)),
                ("view", models.JSONField(blank=True, null=True)),
                ("answer", models.CharField(blank=True, max_length=300)),
                ("output", models.TextField(blank=True)),
                ("cpu", models.FloatField(default=0)),
                ("wall", models.FloatField(default=0)),
                ("limit", models.FloatField(blank=True, null=True)),
                ("kept", models.BooleanField(default=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="faults", to="matches.game"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="faults", to="matches.seat"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.F("created"), condition=models.Q(("state__in", ["queued", "running"])), name="match_open_by_age"
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.F("account"),
                models.F("due"),
                models.F("id"),
                condition=models.Q(("state", "queued")),
                name="match_queued_by_account",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                models.OrderBy(models.F("finished"), descending=True),
                condition=models.Q(("state", "finished")),
                name="match_finished_newest_first",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["held", "queued", "running", "finished", "cancelled"])),
                name="match_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("audience__in", ["everyone", "authors", "organiser"])), name="match_audience_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(condition=models.Q(("blocks__gte", 1)), name="match_has_a_block"),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("blocks_played__isnull", True),
                    models.Q(("blocks_played__gte", 1), ("blocks_played__lte", models.F("blocks"))),
                    _connector="OR",
                ),
                name="match_plays_its_blocks_at_most",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("blocks_kept__lte", models.F("blocks"))), name="match_keeps_its_blocks_at_most"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "queued"), _negated=True), ("account__isnull", False), _connector="OR"
                ),
                name="match_queued_has_an_account",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ending__in", ["", "first_better", "second_better", "too_close", "undecided", "forfeited"])
                ),
                name="match_ending_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_until__isnull", False), ("state", "running")),
                    models.Q(models.Q(("state", "running"), _negated=True), ("lease_until__isnull", True)),
                    _connector="OR",
                ),
                name="match_leased_exactly_while_running",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished__isnull", False), ("state", "finished")),
                    models.Q(models.Q(("state", "finished"), _negated=True), ("finished__isnull", True)),
                    _connector="OR",
                ),
                name="match_finished_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(
                models.F("match"), models.F("index"), name="game_index_unique_per_match"
            ),
        ),
        migrations.AddConstraint(
            model_name="matchlog",
            constraint=models.UniqueConstraint(
                models.F("match"), models.F("attempt"), models.F("game"), name="log_once_per_attempt_and_game"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                models.F("match"), models.F("index"), name="seat_index_unique_per_match"
            ),
        ),
        migrations.AddIndex(
            model_name="fault",
            index=models.Index(models.F("seat"), condition=models.Q(("kept", True)), name="fault_kept_by_seat"),
        ),
        migrations.AddConstraint(
            model_name="fault",
            constraint=models.UniqueConstraint(models.F("game"), models.F("seat"), name="fault_once_per_seat_and_game"),
        ),
    ]
