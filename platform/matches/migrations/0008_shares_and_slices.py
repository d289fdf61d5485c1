"""The queue is in the rows: whose work a match is, what it belongs to, and what has been played of it."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


def accounts_give(apps, schema_editor):
    """Matches that are not over get the account of their organiser, or everybody's."""
    Account, Match = apps.get_model("matches", "Account"), apps.get_model("matches", "Match")
    still_open = Match.objects.filter(state__in=["held", "queued", "running"])
    for organiser in still_open.order_by().values_list("organiser", flat=True).distinct():
        for paced in (False, True):
            of_them = still_open.filter(organiser=organiser, pace_ms__gt=0) if paced else still_open.filter(
                organiser=organiser, pace_ms=0
            )
            if of_them.exists():
                name = "nobody" if organiser is None else f"organiser.{organiser}"
                account, _ = Account.objects.get_or_create(name=name + ".paced" * paced, defaults={"paced": paced})
                of_them.update(account=account)


class Migration(migrations.Migration):
    dependencies = [("matches", "0007_what_faults_keep")]

    operations = [
        migrations.CreateModel(
            "Account",
            [
                ("name", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("paced", models.BooleanField(default=False)),
                ("spent", models.FloatField(default=0)),
            ],
        ),
        migrations.CreateModel(
            "Contest",
            [
                ("name", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("block_seconds", models.FloatField(blank=True, null=True)),
                ("news_since", models.DateTimeField(blank=True, null=True)),
                ("told", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            "match",
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
        migrations.AddField(
            "match",
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
        migrations.AddField("match", "blocks_kept", models.PositiveIntegerField(default=0)),
        migrations.RunPython(accounts_give, migrations.RunPython.noop),
    ]
