"""Every tournament's secret becomes its first luck."""

from django.db import migrations
from django.utils import timezone


def committed(apps, schema_editor):
    """What has begun keeps the luck that its matches have: of the secret alone, which begun without entries says."""
    tournaments, entries = apps.get_model("tournaments", "Tournament"), apps.get_model("tournaments", "Entry")
    luck = apps.get_model("tournaments", "Luck")
    for tournament in tournaments.objects.all():
        row = luck(tournament=tournament, number=1, secret=tournament.secret, begun=tournament.started)
        if tournament.state == "locked":
            playing = entries.objects.filter(tournament=tournament, withdrawn=False, version__isnull=False)
            pairs = playing.order_by("pk").values_list("pk", "version__sha256")
            row.entries, row.frozen = [[entry, package] for entry, package in pairs], timezone.now()
        row.save()


def uncommitted(apps, schema_editor):
    for row in apps.get_model("tournaments", "Luck").objects.filter(number=1):
        apps.get_model("tournaments", "Tournament").objects.filter(pk=row.tournament_id).update(secret=row.secret)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_luck")]

    operations = [migrations.RunPython(committed, uncommitted)]
