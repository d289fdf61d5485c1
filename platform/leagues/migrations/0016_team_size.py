from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0015_season_datasets")]

    operations = [
        migrations.AddField(
            model_name="league",
            name="team_size",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="people per team"),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("team_size__isnull", True), ("team_size__gte", 1), _connector="OR"),
                name="league_team_size_lets_join",
            ),
        ),
    ]
