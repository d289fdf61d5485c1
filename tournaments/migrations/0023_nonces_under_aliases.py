from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_paused_because")]

    operations = [
        migrations.AddField(
            model_name="nonce",
            name="alias",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
    ]
