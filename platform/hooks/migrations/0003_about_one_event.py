from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hooks", "0002_formats_of_messages")]

    operations = [
        migrations.AddField(
            model_name="hook",
            name="about",
            field=models.CharField(blank=True, db_default="", default="", max_length=120),
        ),
    ]
