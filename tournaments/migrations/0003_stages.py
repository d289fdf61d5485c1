"""Stages and rounds become rows of their own: makes room for them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0002_swiss'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_state_known',
        ),
        migrations.AlterField(
            model_name='tournament',
            name='state',
            field=models.CharField(choices=[('draft', 'draft'), ('open', 'open for entries'), ('locked', 'entries closed'), ('running', 'running'), ('paused', 'paused'), ('finished', 'finished'), ('cancelled', 'cancelled')], default='draft', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'locked', 'running', 'paused', 'finished', 'cancelled'])), name='tournament_state_known'),
        ),
        migrations.AlterModelOptions(
            name='bye',
            options={},
        ),
        migrations.AlterModelOptions(
            name='fixture',
            options={},
        ),
        migrations.RemoveConstraint(
            model_name='bye',
            name='one_bye_per_entry_and_round',
        ),
        migrations.RemoveConstraint(
            model_name='fixture',
            name='one_fixture_per_table',
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('started', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Seed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(default=1)),
                ('format', models.CharField(choices=[('round_robin', 'Round robin'), ('swiss', 'Swiss')], default='round_robin', max_length=20, verbose_name='format')),
                ('rounds', models.PositiveSmallIntegerField(default=0, verbose_name='rounds')),
                ('drawn', models.PositiveSmallIntegerField(default=0)),
                ('entrants', models.PositiveSmallIntegerField(default=0, verbose_name='bots that go on to it')),
                ('players_per_table', models.PositiveSmallIntegerField(default=2, verbose_name='players per table')),
                ('smallest_table', models.PositiveSmallIntegerField(default=2)),
                ('blocks', models.PositiveIntegerField(default=2, verbose_name='blocks per match')),
                ('started', models.DateTimeField(blank=True, null=True)),
                ('finished', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='round',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='seed',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seeds', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='stage',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='seed',
            name='stage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seeds', to='tournaments.stage'),
        ),
        migrations.AddField(
            model_name='round',
            name='stage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='played', to='tournaments.stage'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('number'), name='stage_number_unique_per_tournament'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('players_per_table__range', (2, 7))), name='stage_table_size'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('smallest_table__gte', 2), ('smallest_table__lte', models.F('players_per_table'))), name='stage_smallest_table'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('format__in', ['round_robin', 'swiss'])), name='stage_format_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('rounds', 0), ('drawn__lte', models.F('rounds')), _connector='OR'), name='stage_draws_no_more_rounds'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('format', 'swiss'), _negated=True), ('rounds__gte', 1), _connector='OR'), name='stage_swiss_has_a_round'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('blocks__gte', 1)), name='stage_has_a_block'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('finished__isnull', True), ('started__isnull', False), _connector='OR'), name='stage_finishes_after_its_start'),
        ),
        migrations.AddConstraint(
            model_name='seed',
            constraint=models.UniqueConstraint(models.F('stage'), models.F('number'), name='seed_number_unique_per_stage'),
        ),
        migrations.AddConstraint(
            model_name='seed',
            constraint=models.UniqueConstraint(models.F('stage'), models.F('entry'), name='entry_seeded_once_per_stage'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(models.F('tournament'), models.F('number'), name='round_number_unique_per_tournament'),
        ),
        migrations.RenameField(
            model_name='bye',
            old_name='round',
            new_name='number',
        ),
        migrations.AddField(
            model_name='bye',
            name='round',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='tournaments.round'),
        ),
        migrations.RenameField(
            model_name='fixture',
            old_name='round',
            new_name='number',
        ),
        migrations.AddField(
            model_name='fixture',
            name='round',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='fixtures', to='tournaments.round'),
        ),
    ]
