"""Let the names of datetimes end in _at and of booleans begin with is_ or has_; no data changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_first_release"),
    ]

    operations = [
        migrations.RenameField(
            model_name="accesstoken",
            old_name="last_used",
            new_name="last_used_at",
        ),
    ]
