"""The file of a version gets a row of its own."""

import django.db.models.deletion
from django.db import migrations, models

COPY = "INSERT INTO bots_botpackage (version_id, content) SELECT id, package FROM bots_botversion WHERE kept > 0"


class Migration(migrations.Migration):
    dependencies = [("bots", "0001_first_release")]

    operations = [
        migrations.CreateModel(
            "BotPackage",
            [
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="package",
                        serialize=False,
                        to="bots.botversion",
                    ),
                ),
                ("content", models.BinaryField()),
            ],
        ),
        migrations.RunSQL(COPY),
        migrations.RemoveField("botversion", "package"),
    ]
