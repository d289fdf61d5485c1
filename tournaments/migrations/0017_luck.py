"""Luck: a committed secret, the frozen entries and nonces, for the start and for each re-opening."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0016_entrants_most"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lucks",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={"ordering": ["number"], "verbose_name_plural": "lucks"},
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
            options={"ordering": ["number"]},
        ),
        migrations.AddConstraint(
            "luck", models.UniqueConstraint("tournament", "number", name="luck_number_unique_per_tournament")
        ),
        migrations.AddConstraint(
            "luck", models.CheckConstraint(condition=models.Q(number__gte=1), name="luck_numbered_from_one")
        ),
        migrations.AddConstraint(
            "luck",
            models.CheckConstraint(
                condition=models.Q(frozen__isnull=True) | models.Q(entries__isnull=False),
                name="luck_frozen_has_entries",
            ),
        ),
        migrations.AddConstraint(
            "nonce", models.UniqueConstraint("luck", "number", name="nonce_number_unique_per_luck")
        ),
        migrations.AddConstraint("nonce", models.UniqueConstraint("luck", "by", name="one_nonce_of_each_person")),
        migrations.AddConstraint(
            "nonce", models.CheckConstraint(condition=~models.Q(text=""), name="nonce_says_something")
        ),
        migrations.AddField("round", "luck", models.PositiveSmallIntegerField(default=1)),
        migrations.AddField("fixture", "luck", models.PositiveSmallIntegerField(default=1)),
        migrations.AddField("displaced", "luck", models.PositiveSmallIntegerField(default=1)),
    ]
