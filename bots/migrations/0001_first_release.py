"""The tables as of 0.1.0. ``replaces``: a database that has taken all of those stands here already."""

import bots.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("bots", "0001_initial"),
        ("bots", "0002_alter_bot_name"),
        ("bots", "0003_deletion_and_kept_files"),
        ("bots", "0004_checks_by_turns"),
        ("bots", "0005_version_chosen_by_hand"),
        ("bots", "0006_game_of_a_bot"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Bot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(max_length=40, validators=[bots.models.validate_printable], verbose_name="name"),
                ),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("game", models.CharField(max_length=20, verbose_name="game")),
                (
                    "blurb",
                    models.CharField(
                        blank=True,
                        max_length=140,
                        validators=[bots.models.validate_printable],
                        verbose_name="one line about it",
                    ),
                ),
                ("chosen", models.DateTimeField(blank=True, null=True)),
                ("is_house", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("deleted", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bots", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BotVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("filename", models.CharField(max_length=100)),
                ("package", models.BinaryField()),
                ("size", models.PositiveIntegerField()),
                ("kept", models.PositiveIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting to be checked"),
                            ("checking", "being checked"),
                            ("accepted", "accepted"),
                            ("refused", "refused"),
                            ("deleted", "deleted"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("check_attempt", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("begun", models.DateTimeField(blank=True, null=True)),
                ("report", models.JSONField(blank=True, default=dict)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("checked", models.DateTimeField(blank=True, null=True)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="bots.bot"
                    ),
                ),
                (
                    "checked_for",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
            },
        ),
        migrations.AddField(
            model_name="bot",
            name="current",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="bots.botversion",
            ),
        ),
        migrations.AddIndex(
            model_name="botversion",
            index=models.Index(
                models.F("state"), condition=models.Q(("state__in", ["queued", "checking"])), name="version_by_state"
            ),
        ),
        migrations.AddIndex(
            model_name="botversion",
            index=models.Index(
                models.F("state"),
                condition=models.Q(("kept__gt", 0), ("state__in", ["refused", "deleted"])),
                name="version_to_prune",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.UniqueConstraint(
                models.F("bot"), models.F("number"), name="version_number_unique_per_bot"
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.UniqueConstraint(
                models.F("bot"), models.F("sha256"), name="version_content_unique_per_bot"
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["queued", "checking", "accepted", "refused", "deleted"])),
                name="version_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("checked__isnull", False),
                    models.Q(("state__in", ["accepted", "refused"]), _negated=True),
                    _connector="OR",
                ),
                name="version_verdict_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.UniqueConstraint(models.F("checked_for"), name="version_checked_one_per_author"),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("checked_for__isnull", True), ("state", "checking"), _connector="OR"),
                name="version_checked_for_while_checked",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("lease_until__isnull", True), ("state__in", ["queued", "checking"]), _connector="OR"
                ),
                name="version_leased_only_while_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="botversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("kept", models.F("size")), ("kept", 0), _connector="OR"),
                name="version_kept_whole_or_not",
            ),
        ),
        migrations.AddConstraint(
            model_name="bot",
            constraint=models.UniqueConstraint(models.F("owner"), models.F("name"), name="bot_name_unique_per_owner"),
        ),
        migrations.AddConstraint(
            model_name="bot",
            constraint=models.CheckConstraint(
                condition=models.Q(("deleted__isnull", True), ("current__isnull", True), _connector="OR"),
                name="bot_deleted_plays_no_more",
            ),
        ),
    ]
