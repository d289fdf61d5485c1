from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0024_challenges")]

    operations = [
        migrations.AlterField(
            model_name="match",
            name="state",
            field=models.CharField(
                choices=[
                    ("held", "on hold"),
                    ("queued", "queued"),
                    ("running", "playing"),
                    ("on_air", "live"),
                    ("finished", "finished"),
                    ("cancelled", "cancelled"),
                ],
                default="queued",
                max_length=10,
            ),
        ),
    ]
