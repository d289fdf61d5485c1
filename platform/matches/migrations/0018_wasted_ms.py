from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0017_boxes_lost'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='wasted_ms',
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
    ]
