"""The tables as of 0.1.0. ``replaces``: a database that has taken all of those stands here already."""

import django.db.models.deletion
import tournaments.models.stage
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("tournaments", "0001_initial"),
        ("tournaments", "0002_swiss"),
        ("tournaments", "0003_stages"),
        ("tournaments", "0004_stages_filled"),
        ("tournaments", "0005_stages_only"),
        ("tournaments", "0006_withdrawals"),
        ("tournaments", "0007_knockouts"),
        ("tournaments", "0008_calendar"),
        ("tournaments", "0009_rulings"),
        ("tournaments", "0010_stopping"),
        ("tournaments", "0011_apart"),
        ("tournaments", "0012_heats"),
        ("tournaments", "0013_invariants"),
        ("tournaments", "0014_since_when_an_entry_is_out"),
        ("tournaments", "0015_withdrawn_because_deleted"),
        ("tournaments", "0016_entrants_most"),
        ("tournaments", "0017_luck"),
        ("tournaments", "0018_luck_filled"),
        ("tournaments", "0019_luck_only"),
        ("tournaments", "0020_chain"),
        ("tournaments", "0021_rulings_reverse"),
        ("tournaments", "0022_rulings_reverse_filled"),
        ("tournaments", "0023_dutch_2026"),
        ("tournaments", "0024_entry_deadline"),
        ("tournaments", "0025_invitations"),
        ("tournaments", "0026_formats_of_the_registry"),
    ]

    dependencies = [
        ("bots", "0001_first_release"),
        ("matches", "0001_first_release"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=1)),
                (
                    "format",
                    models.CharField(
                        choices=tournaments.models.stage.format_choices,
                        default="round_robin",
                        max_length=20,
                        verbose_name="format",
                    ),
                ),
                ("rounds", models.PositiveSmallIntegerField(default=0, verbose_name="rounds")),
                ("drawn", models.PositiveSmallIntegerField(default=0)),
                ("entrants", models.PositiveSmallIntegerField(default=0, verbose_name="bots that go on to it")),
                ("players_per_table", models.PositiveSmallIntegerField(default=2, verbose_name="players per table")),
                ("smallest_table", models.PositiveSmallIntegerField(default=2)),
                ("blocks", models.PositiveIntegerField(default=2, verbose_name="blocks per match")),
                ("stopping", models.JSONField(blank=True, default=dict)),
                ("third_place", models.BooleanField(default=False, verbose_name="match for the third place")),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("withdrawn", models.BooleanField(default=False)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                ("struck_at", models.DateTimeField(blank=True, null=True)),
                (
                    "withdrawn_because",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("forfeits", "too many matches forfeited by its faults"),
                            ("deleted", "deleted by its author"),
                        ],
                        max_length=20,
                    ),
                ),
                ("forfeits", models.PositiveSmallIntegerField(default=0)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="bots.bot"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="bots.botversion",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ["created", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("void", "match void"),
                            ("replay", "match replayed"),
                            ("replace", "result replaced"),
                            ("disqualify", "bot disqualified"),
                            ("reinstate", "bot taken back in"),
                            ("withdraw", "bot withdrawn"),
                            ("take_back", "ruling taken back"),
                            ("reopen", "tournament re-opened"),
                            ("note", "note"),
                        ],
                        max_length=12,
                    ),
                ),
                ("data", models.JSONField(blank=True, default=dict)),
                ("reason", models.TextField(max_length=1000, verbose_name="reason")),
                ("basis", models.CharField(max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rulings",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="matches.match",
                    ),
                ),
                (
                    "names",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taken_back_by",
                        to="tournaments.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Rewound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seeds", models.JSONField(default=list)),
                ("byes", models.JSONField(default=list)),
                ("times", models.JSONField(default=list)),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rewound", to="tournaments.ruling"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rewound", to="tournaments.stage"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "rewound",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("slug", models.SlugField(max_length=90, unique=True)),
                ("description", models.TextField(blank=True, max_length=2000, verbose_name="description")),
                ("ruleset", models.CharField(max_length=30, verbose_name="game")),
                ("options", models.JSONField(blank=True, default=dict)),
                ("limits", models.JSONField(blank=True, default=dict)),
                ("pace_ms", models.PositiveIntegerField(default=0, verbose_name="pace")),
                ("tie_breaks", models.JSONField(default=list)),
                ("entrants_most", models.PositiveSmallIntegerField(default=100, verbose_name="bots at most")),
                ("entries_per_author", models.PositiveSmallIntegerField(default=1, verbose_name="bots per author")),
                (
                    "admission",
                    models.CharField(
                        choices=[("everyone", "everyone"), ("invited", "whoever has the invitation link")],
                        default="everyone",
                        max_length=12,
                        verbose_name="who may enter",
                    ),
                ),
                (
                    "publication",
                    models.CharField(
                        choices=[("everyone", "everyone"), ("participants", "participants"), ("hidden", "nobody yet")],
                        default="everyone",
                        max_length=12,
                        verbose_name="who sees pairings and results",
                    ),
                ),
                ("review_rounds", models.BooleanField(default=False, verbose_name="rounds wait for the organiser")),
                ("entries_close_at", models.DateTimeField(blank=True, null=True, verbose_name="entries close at")),
                ("first_round_at", models.DateTimeField(blank=True, null=True, verbose_name="first round at")),
                ("round_minutes", models.PositiveIntegerField(default=0, verbose_name="minutes from round to round")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("open", "open for entries"),
                            ("locked", "entries closed"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                (
                    "arbiters",
                    models.ManyToManyField(blank=True, related_name="arbitrates", to=settings.AUTH_USER_MODEL),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournaments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.AddField(
            model_name="stage",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="stages", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="SealedName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("whose", models.CharField(max_length=30)),
                ("salt", models.CharField(max_length=32)),
                ("digest", models.CharField(max_length=64)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sealed_names",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="ruling",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rulings", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("luck", models.PositiveSmallIntegerField(default=1)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("arrangements", models.JSONField(blank=True, default=list)),
                ("spare", models.JSONField(blank=True, default=dict)),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="played", to="tournaments.stage"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Luck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("secret", models.BinaryField(max_length=32)),
                ("entries", models.JSONField(blank=True, null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("frozen", models.DateTimeField(blank=True, null=True)),
                ("begun", models.DateTimeField(blank=True, null=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lucks", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "lucks",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="KeptApart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_apart",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(default=0)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("made", models.DateTimeField(blank=True, null=True)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitation",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="entry",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="ChainLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=12)),
                ("at", models.CharField(max_length=27)),
                ("content", models.TextField()),
                ("previous", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="link",
                        to="matches.match",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chain", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "chain",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Nonce",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=100)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="nonces",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "luck",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="nonces", to="tournaments.luck"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(models.F("luck"), models.F("number"), name="nonce_number_unique_per_luck"),
                    models.UniqueConstraint(models.F("luck"), models.F("by"), name="one_nonce_of_each_person"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="nonce_says_something"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Fixture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.PositiveIntegerField()),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("luck", models.PositiveSmallIntegerField(default=1)),
                ("reasons", models.JSONField(blank=True, null=True)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="fixture", to="matches.match"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fixtures", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round__number", "table"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("round"), models.F("table"), name="one_fixture_per_table_of_a_round"
                    ),
                    models.CheckConstraint(condition=models.Q(("attempt__gte", 1)), name="fixture_is_an_attempt"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Bye",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("points", models.PositiveSmallIntegerField()),
                ("reasons", models.JSONField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="tournaments.entry"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round__number", "entry"],
                "constraints": [
                    models.UniqueConstraint(models.F("round"), models.F("entry"), name="one_bye_per_entry_of_a_round")
                ],
            },
        ),
        migrations.CreateModel(
            name="Seed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seeds", to="tournaments.entry"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seeds", to="tournaments.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(models.F("stage"), models.F("number"), name="seed_number_unique_per_stage"),
                    models.UniqueConstraint(models.F("stage"), models.F("entry"), name="entry_seeded_once_per_stage"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Displaced",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveIntegerField()),
                ("table", models.PositiveIntegerField()),
                ("attempt", models.PositiveSmallIntegerField()),
                ("luck", models.PositiveSmallIntegerField(default=1)),
                ("reasons", models.JSONField(blank=True, null=True)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="displaced", to="matches.match"
                    ),
                ),
                (
                    "rewound",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="displaced",
                        to="tournaments.rewound",
                    ),
                ),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="displaced", to="tournaments.ruling"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="displaced",
                        to="tournaments.stage",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "displaced",
                "ordering": ["round", "table", "attempt"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("attempt__gte", 1)), name="displaced_was_an_attempt")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                models.F("created"), condition=models.Q(("state", "running")), name="tournament_running"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["draft", "open", "locked", "running", "paused", "finished", "cancelled"])
                ),
                name="tournament_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("publication__in", ["everyone", "participants", "hidden"])),
                name="tournament_publication_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("admission__in", ["everyone", "invited"])), name="tournament_admission_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("entries_per_author__gte", 1)), name="tournament_lets_authors_enter"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("entrants_most__range", (2, 100))), name="tournament_entrants_most_bounded"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("started__isnull", False),
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
                    models.Q(("finished__isnull", False), ("state", "finished")),
                    models.Q(models.Q(("state", "finished"), _negated=True), ("finished__isnull", True)),
                    _connector="OR",
                ),
                name="tournament_finished_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="stage_number_unique_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("players_per_table__range", (2, 7))), name="stage_table_size"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("smallest_table__gte", 2), ("smallest_table__lte", models.F("players_per_table"))),
                name="stage_smallest_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("format", ""), _negated=True), name="stage_has_a_format"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("rounds", 0), ("drawn__lte", models.F("rounds")), _connector="OR"),
                name="stage_draws_no_more_rounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(condition=models.Q(("blocks__gte", 1)), name="stage_has_a_block"),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("finished__isnull", True), ("started__isnull", False), _connector="OR"),
                name="stage_finishes_after_its_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("drawn", 0), ("started__isnull", False), _connector="OR"),
                name="stage_draws_after_its_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="sealedname",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("digest"), name="name_sealed_once_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="ruling_number_unique_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("basis"), name="one_ruling_on_each_state"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "void",
                            "replay",
                            "replace",
                            "disqualify",
                            "reinstate",
                            "withdraw",
                            "take_back",
                            "reopen",
                            "note",
                        ],
                    )
                ),
                name="ruling_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="ruling_has_a_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["void", "replay", "replace"]), _negated=True),
                    models.Q(("entry__isnull", True), ("match__isnull", False)),
                    _connector="OR",
                ),
                name="ruling_about_a_match_names_it",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["disqualify", "withdraw"]), _negated=True),
                    models.Q(("entry__isnull", False), ("match__isnull", True)),
                    _connector="OR",
                ),
                name="ruling_about_a_bot_names_it",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "reinstate"), _negated=True),
                    models.Q(("entry__isnull", True), ("match__isnull", False)),
                    models.Q(("entry__isnull", False), ("match__isnull", True)),
                    _connector="OR",
                ),
                name="ruling_taken_back_names_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "take_back"), ("names__isnull", False)),
                    models.Q(models.Q(("kind", "take_back"), _negated=True), ("names__isnull", True)),
                    _connector="OR",
                ),
                name="ruling_names_what_it_takes_back",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="round_number_unique_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="luck",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="luck_number_unique_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="luck",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="luck_numbered_from_one"),
        ),
        migrations.AddConstraint(
            model_name="luck",
            constraint=models.CheckConstraint(
                condition=models.Q(("frozen__isnull", True), ("entries__isnull", False), _connector="OR"),
                name="luck_frozen_has_entries",
            ),
        ),
        migrations.AddConstraint(
            model_name="keptapart",
            constraint=models.UniqueConstraint(models.F("one"), models.F("other"), name="pair_kept_apart_once"),
        ),
        migrations.AddConstraint(
            model_name="keptapart",
            constraint=models.CheckConstraint(
                condition=models.Q(("one__lt", models.F("other"))), name="pair_kept_apart_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                models.F("digest"), condition=models.Q(("digest", ""), _negated=True), name="invitation_digest_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("digest", ""), models.Q(("made__isnull", False), ("number__gte", 1)), _connector="OR"
                ),
                name="invitation_that_holds_was_made",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(models.F("tournament"), models.F("bot"), name="bot_enters_once"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("withdrawn_because", ""),
                    models.Q(("withdrawn", True), ("withdrawn_because__in", ["forfeits", "deleted"])),
                    _connector="OR",
                ),
                name="entry_withdrawal_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("withdrawn", True), ("withdrawn_at__isnull", True), _connector="OR"),
                name="entry_that_is_in_has_not_left",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("withdrawn", True),
                    models.Q(("left_at__isnull", True), ("struck_at__isnull", True)),
                    _connector="OR",
                ),
                name="entry_out_for_any_reason_is_withdrawn",
            ),
        ),
        migrations.AddConstraint(
            model_name="chainlink",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("number"), name="link_number_unique_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="chainlink",
            constraint=models.UniqueConstraint(
                models.F("tournament"), models.F("previous"), name="one_link_after_each"
            ),
        ),
    ]
