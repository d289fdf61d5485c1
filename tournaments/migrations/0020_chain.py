"""The chain: what a tournament's results follow from, link after link, and the names that it seals."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0009_order_of_the_queue'),
        ('tournaments', '0019_luck_only'),
    ]

    operations = [
        migrations.CreateModel(
            name='ChainLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=12)),
                ('at', models.CharField(max_length=27)),
                ('content', models.TextField()),
                ('previous', models.CharField(max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='link', to='matches.match')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chain', to='tournaments.tournament')),
            ],
            options={
                'verbose_name_plural': 'chain',
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(models.F('tournament'), models.F('number'), name='link_number_unique_per_tournament'), models.UniqueConstraint(models.F('tournament'), models.F('previous'), name='one_link_after_each')],
            },
        ),
        migrations.CreateModel(
            name='SealedName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('whose', models.CharField(max_length=30)),
                ('salt', models.CharField(max_length=32)),
                ('digest', models.CharField(max_length=64)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sealed_names', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(models.F('tournament'), models.F('digest'), name='name_sealed_once_per_tournament')],
            },
        ),
    ]
