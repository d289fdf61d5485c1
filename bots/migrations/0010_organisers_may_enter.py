from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("bots", "0009_keys_of_contents")]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="organisers_may_enter",
            field=models.BooleanField(db_default=False, default=False, verbose_name="organisers may enter it"),
        ),
    ]
