from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_keep_apart")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="time_zone",
            field=models.CharField(db_default="UTC", default="UTC", max_length=40, verbose_name="time zone"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(condition=~Q(time_zone=""), name="tournament_has_a_time_zone"),
        ),
    ]
