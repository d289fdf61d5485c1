from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0009_rulings"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="stopping",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
