from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("bots", "0010_organisers_may_enter")]

    operations = [
        migrations.AddField(
            model_name="botpackage",
            name="sketch",
            field=models.BinaryField(max_length=1024, null=True),
        ),
    ]
