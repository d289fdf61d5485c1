"""Name columns premieres_at and min_action_ms; no data changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("matches", "0005_datetimes_end_in_at")]

    operations = [
        migrations.RenameField(model_name="match", old_name="premiere", new_name="premieres_at"),
        migrations.RenameField(model_name="match", old_name="pace_ms", new_name="min_action_ms"),
    ]
