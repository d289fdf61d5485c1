from django.db import migrations, models
from django.db.models import Q
from django.db.models.deletion import CASCADE, PROTECT


class Migration(migrations.Migration):
    dependencies = [("league", "0010_exclusions"), ("tournaments", "0015_time_zone")]

    operations = [
        migrations.CreateModel(
            name="LadderCup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("best", models.PositiveSmallIntegerField()),
                ("passed_over", models.JSONField(default=list)),
                ("season", models.ForeignKey(on_delete=PROTECT, related_name="cups", to="league.season")),
                (
                    "tournament",
                    models.OneToOneField(on_delete=CASCADE, related_name="ladder_cup", to="tournaments.tournament"),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [models.CheckConstraint(condition=Q(best__gte=2), name="ladder_cup_of_two_at_least")],
            },
        ),
        migrations.AddField(
            model_name="entry",
            name="ladder_place",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=Q(ladder_place__gte=1), name="entry_ladder_place_counts_from_one"
            ),
        ),
    ]
