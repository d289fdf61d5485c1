import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0016_team_size"),
    ]

    operations = [
        migrations.CreateModel(
            name="LeagueDigest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("week", models.DateField()),
                ("last_recipient", models.PositiveBigIntegerField(default=0)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="digests", to="league.league"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(models.F("league"), models.F("week"), name="league_digest_once_a_week")
                ],
            },
        ),
    ]
