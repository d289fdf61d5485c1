from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0008_turns_of_authors'),
    ]

    operations = [
        migrations.AddField(
            model_name='botversion',
            name='content_key',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=64),
        ),
    ]
