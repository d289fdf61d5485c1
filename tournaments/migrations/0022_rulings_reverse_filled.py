"""Rulings that took others back name them, and entries say why they are out."""

from django.db import migrations

OF_MATCHES = ("void", "replay", "replace")


def named(apps, schema_editor):
    tournaments, rulings = apps.get_model("tournaments", "Tournament"), apps.get_model("tournaments", "Ruling")
    for tournament in tournaments.objects.filter(rulings__isnull=False).distinct():
        disqualified, ruled = {}, {}
        for ruling in rulings.objects.filter(tournament=tournament).order_by("number"):
            if ruling.kind == "disqualify":
                disqualified[ruling.entry_id] = ruling
            elif ruling.kind in OF_MATCHES:
                ruled.setdefault(ruling.match_id, []).append(ruling)
            elif ruling.kind == "reinstate":
                before = ruled.pop(ruling.match_id, []) if ruling.match_id else []
                # One that took back several at once stays as it is: it names their match.
                name = disqualified.pop(ruling.entry_id, None) if ruling.entry_id else None
                name = before[0] if len(before) == 1 else name
                if name is not None:
                    rulings.objects.filter(pk=ruling.pk).update(kind="take_back", names=name)
        _entries(apps, tournament, disqualified)
    _entries_elsewhere(apps)


def _entries(apps, tournament, disqualified):
    rulings = apps.get_model("tournaments", "Ruling")
    withdrawn = set(rulings.objects.filter(tournament=tournament, kind="withdraw").values_list("entry", flat=True))
    for entry in apps.get_model("tournaments", "Entry").objects.filter(tournament=tournament, withdrawn=True):
        since, ruling = entry.withdrawn_at or entry.created, disqualified.get(entry.pk)
        if entry.withdrawn_because:
            entry.struck_at = since
        elif (ruling is None and entry.pk not in withdrawn) or (ruling and ruling.data.get("had_left")):
            entry.left_at = since
        entry.save(update_fields=["left_at", "struck_at"])


def _entries_elsewhere(apps):
    entries = apps.get_model("tournaments", "Entry").objects
    for entry in entries.filter(withdrawn=True, tournament__rulings__isnull=True):
        since = entry.withdrawn_at or entry.created
        if entry.withdrawn_because:
            entry.struck_at = since
        else:
            entry.left_at = since
        entry.save(update_fields=["left_at", "struck_at"])


def unnamed(apps, schema_editor):
    apps.get_model("tournaments", "Ruling").objects.filter(kind="take_back").update(kind="reinstate", names=None)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_rulings_reverse")]

    operations = [migrations.RunPython(named, unnamed)]
