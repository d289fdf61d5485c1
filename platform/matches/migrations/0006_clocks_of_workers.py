"""How many matches a worker plays at once, and how far its clock is off."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0005_since_when_a_match_may_be_played")]

    operations = [
        migrations.AlterModelOptions(
            name="workerpresence", options={"verbose_name": "worker", "verbose_name_plural": "workers"}
        ),
        migrations.AddField("workerpresence", "slots", models.PositiveIntegerField(default=1)),
        migrations.AddField("workerpresence", "clock_ahead", models.FloatField(default=0)),
    ]
