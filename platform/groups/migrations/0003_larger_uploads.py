from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("groups", "0002_claims_of_letters"),
    ]

    operations = [
        migrations.AddField(
            model_name="group",
            name="has_large_uploads",
            field=models.BooleanField(db_default=False, default=False, editable=False, verbose_name="larger uploads"),
        ),
    ]
