"""Every tournament so far is one stage; its rounds are those of its tables and byes."""

from django.db import migrations


STAGE = ("format", "rounds", "drawn", "players_per_table", "smallest_table", "blocks", "started", "finished")


def fill(apps, schema_editor):
    Tournament, Stage, Round, Fixture, Bye = (
        apps.get_model("tournaments", name) for name in ("Tournament", "Stage", "Round", "Fixture", "Bye")
    )
    for tournament in Tournament.objects.all():
        stage = Stage.objects.create(tournament=tournament, **{name: getattr(tournament, name) for name in STAGE})
        fixtures, byes = Fixture.objects.filter(tournament=tournament), Bye.objects.filter(tournament=tournament)
        numbers = {*fixtures.values_list("number", flat=True), *byes.values_list("number", flat=True)}
        for number in sorted(numbers):
            played = Round.objects.create(
                tournament=tournament, stage=stage, number=number, started=tournament.started
            )
            fixtures.filter(number=number).update(round=played)
            byes.filter(number=number).update(round=played)
        Stage.objects.filter(pk=stage.pk).update(drawn=len(numbers))


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0003_stages'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
