from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0015_plural_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='luck_value',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
    ]
