"""Tokens are made for what they need: to upload, to organise. Those that are there may both, as they did."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_datetimes_end_in_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="accesstoken",
            name="has_upload",
            field=models.BooleanField(default=True, verbose_name="uploads and enters bots"),
        ),
        migrations.AddField(
            model_name="accesstoken",
            name="has_organise",
            field=models.BooleanField(default=True, verbose_name="organises tournaments and leagues"),
        ),
    ]
