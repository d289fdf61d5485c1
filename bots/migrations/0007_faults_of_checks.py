from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0006_key_of_the_name'),
    ]

    operations = [
        migrations.AddField(
            model_name='botversion',
            name='check_faults',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
