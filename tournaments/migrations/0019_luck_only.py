"""A tournament's secret is in its first luck and nowhere else."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_luck_filled")]

    operations = [
        # With a default, so that the column can come back.
        migrations.AlterField("tournament", "secret", models.BinaryField(max_length=32, default=b"")),
        migrations.RemoveField("tournament", "secret"),
    ]
