from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0016_luck_value'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='boxes_lost',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
