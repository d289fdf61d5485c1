from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0030_new_versions")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="team_size",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="people per team"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("team_size__isnull", True), ("team_size__gte", 1), _connector="OR"),
                name="tournament_team_size_lets_enter",
            ),
        ),
    ]
