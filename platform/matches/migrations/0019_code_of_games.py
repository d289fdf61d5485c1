from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0018_wasted_ms'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='code',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
        migrations.AddField(
            model_name='workerpresence',
            name='games',
            field=models.JSONField(null=True),
        ),
    ]
