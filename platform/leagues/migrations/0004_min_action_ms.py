"""Name columns min_action_ms; no data changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("league", "0003_datetimes_end_in_at")]

    operations = [
        migrations.RenameField(model_name="league", old_name="pace_ms", new_name="min_action_ms"),
    ]
