from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField("accesstoken", "last_used", models.DateTimeField("last used", null=True, blank=True)),
    ]
