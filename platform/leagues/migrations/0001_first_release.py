"""The tables as of 0.1.0. ``replaces``: a database that has taken all of those stands here already."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("league", "0001_initial"),
        ("league", "0002_returning_versions"),
    ]

    dependencies = [
        ("bots", "0001_first_release"),
        ("matches", "0001_first_release"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Refit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("matches", models.PositiveIntegerField()),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["season", "number"],
            },
        ),
        migrations.CreateModel(
            name="League",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("slug", models.SlugField(max_length=90, unique=True)),
                ("description", models.TextField(blank=True, max_length=2000, verbose_name="description")),
                ("ruleset", models.CharField(max_length=30, verbose_name="game")),
                ("options", models.JSONField(blank=True, default=dict)),
                ("players_per_table", models.PositiveSmallIntegerField(default=2, verbose_name="players per table")),
                ("blocks", models.PositiveIntegerField(default=2, verbose_name="blocks per match")),
                ("limits", models.JSONField(blank=True, default=dict)),
                ("pace_ms", models.PositiveIntegerField(default=0, verbose_name="pace")),
                ("bots_per_author", models.PositiveSmallIntegerField(default=3, verbose_name="bots per author")),
                ("season_days", models.PositiveSmallIntegerField(default=0, verbose_name="days per season")),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "draft"), ("open", "open"), ("closed", "closed")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="leagues", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(choices=[("active", "active"), ("left", "left")], default="active", max_length=10),
                ),
                ("joined", models.DateTimeField(auto_now_add=True)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="leagues", to="bots.bot"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="league.league"
                    ),
                ),
            ],
            options={
                "ordering": ["joined", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Contender",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("prior_mean", models.FloatField(default=0)),
                ("prior_sd", models.FloatField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("playing", "playing"),
                            ("benched", "benched"),
                            ("replaced", "replaced"),
                            ("left", "left"),
                        ],
                        default="playing",
                        max_length=10,
                    ),
                ),
                ("benched", models.DateTimeField(blank=True, null=True)),
                ("joined", models.DateTimeField(auto_now_add=True)),
                ("returned", models.DateTimeField(blank=True, null=True)),
                ("since", models.PositiveIntegerField(default=0)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="league.contender",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="contenders", to="bots.botversion"
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="contenders", to="league.membership"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mean", models.FloatField()),
                ("se", models.FloatField()),
                ("place", models.PositiveIntegerField()),
                ("rank", models.PositiveIntegerField()),
                ("rank_low", models.PositiveIntegerField()),
                ("rank_high", models.PositiveIntegerField()),
                ("blocks", models.PositiveIntegerField(default=0)),
                ("provisional", models.BooleanField()),
                ("matches", models.PositiveIntegerField(default=0)),
                ("games", models.PositiveIntegerField(default=0)),
                ("score", models.FloatField(default=0)),
                ("forfeits", models.PositiveIntegerField(default=0)),
                ("faulty_games", models.PositiveIntegerField(default=0)),
                ("slowest_ms", models.FloatField(blank=True, null=True)),
                (
                    "contender",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="league.contender"
                    ),
                ),
                (
                    "refit",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="league.refit"
                    ),
                ),
            ],
            options={
                "ordering": ["refit", "place"],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("secret", models.BinaryField(max_length=32)),
                (
                    "state",
                    models.CharField(
                        choices=[("running", "running"), ("finished", "finished")], default="running", max_length=10
                    ),
                ),
                ("starts", models.DateTimeField()),
                ("ends", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("scheduled", models.PositiveIntegerField(default=0)),
                ("refits", models.PositiveIntegerField(default=0)),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seasons", to="league.league"
                    ),
                ),
            ],
            options={
                "ordering": ["league", "-number"],
            },
        ),
        migrations.AddField(
            model_name="refit",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="snapshots", to="league.season"
            ),
        ),
        migrations.CreateModel(
            name="LeagueMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("reasons", models.JSONField()),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="league_match", to="matches.match"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="league_matches", to="league.season"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.AddField(
            model_name="contender",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="contenders", to="league.season"
            ),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["draft", "open", "closed"])), name="league_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("players_per_table__range", (2, 7))), name="league_table_size"
            ),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(condition=models.Q(("blocks__gte", 1)), name="league_has_a_block"),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("bots_per_author__gte", 1)), name="league_lets_authors_join"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(models.F("league"), models.F("bot"), name="bot_joins_a_league_once"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["active", "left"])), name="membership_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                models.F("refit"), models.F("contender"), name="rating_once_per_refit_and_contender"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(models.F("refit"), models.F("place"), name="place_unique_per_refit"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("rank_low__gte", 1), ("rank_low__lte", models.F("rank_high"))),
                name="rating_rank_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(condition=models.Q(("se__gte", 0)), name="rating_has_a_spread"),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                models.F("league"), models.F("number"), name="season_number_unique_per_league"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                models.F("league"), condition=models.Q(("state", "running")), name="one_running_season_per_league"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["running", "finished"])), name="season_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished__isnull", False), ("state", "finished")),
                    models.Q(models.Q(("state", "finished"), _negated=True), ("finished__isnull", True)),
                    _connector="OR",
                ),
                name="season_finished_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends__isnull", True), ("ends__gt", models.F("starts")), _connector="OR"),
                name="season_ends_later",
            ),
        ),
        migrations.AddConstraint(
            model_name="refit",
            constraint=models.UniqueConstraint(
                models.F("season"), models.F("number"), name="refit_number_unique_per_season"
            ),
        ),
        migrations.AddConstraint(
            model_name="leaguematch",
            constraint=models.UniqueConstraint(
                models.F("season"), models.F("number"), name="one_league_match_per_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="contender",
            constraint=models.UniqueConstraint(
                models.F("season"), models.F("version"), name="version_contends_once_per_season"
            ),
        ),
        migrations.AddConstraint(
            model_name="contender",
            constraint=models.UniqueConstraint(
                models.F("season"),
                models.F("membership"),
                condition=models.Q(("state__in", ["playing", "benched"])),
                name="one_standing_version_per_bot_and_season",
            ),
        ),
        migrations.AddConstraint(
            model_name="contender",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["playing", "benched", "replaced", "left"])),
                name="contender_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="contender",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "benched"), _negated=True), ("benched__isnull", False), _connector="OR"
                ),
                name="contender_benched_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="contender",
            constraint=models.CheckConstraint(
                condition=models.Q(("prior_sd__gt", 0)), name="contender_prior_has_a_spread"
            ),
        ),
        migrations.AddConstraint(
            model_name="contender",
            constraint=models.CheckConstraint(
                condition=models.Q(("since", 0), ("returned__isnull", False), _connector="OR"),
                name="contender_since_it_returned",
            ),
        ),
    ]
