"""At which tempo the matches of a tournament are broadcast."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_luck_value"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="tempo",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "no broadcast"),
                    ("highlights", "highlights, about a minute a game"),
                    ("story", "story, two to three minutes a game"),
                    ("every", "every move"),
                ],
                default="",
                max_length=10,
                verbose_name="broadcast",
            ),
        ),
    ]
