from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("bots", "0005_version_chosen_by_hand")]

    operations = [migrations.RenameField("bot", "ruleset", "game")]
