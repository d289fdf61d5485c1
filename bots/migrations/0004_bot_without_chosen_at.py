from django.db import migrations


class Migration(migrations.Migration):
    """A version that was benched plays no more in its season: when its author last chose it tells nothing now."""

    dependencies = [("bots", "0003_datetimes_end_in_at")]

    operations = [migrations.RemoveField("bot", "chosen_at")]
