"""What stages and rounds say now is no longer said by tournaments, tables and byes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0004_stages_filled'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_table_size',
        ),
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_has_a_block',
        ),
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_smallest_table',
        ),
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_format_known',
        ),
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_draws_no_more_rounds',
        ),
        migrations.RemoveConstraint(
            model_name='tournament',
            name='tournament_swiss_has_a_round',
        ),
        migrations.RemoveField(
            model_name='bye',
            name='tournament',
        ),
        migrations.RemoveField(
            model_name='fixture',
            name='tournament',
        ),
        migrations.RemoveField(
            model_name='tournament',
            name='blocks',
        ),
        migrations.RemoveField(
            model_name='tournament',
            name='drawn',
        ),
        migrations.RemoveField(
            model_name='tournament',
            name='format',
        ),
        migrations.RemoveField(
            model_name='tournament',
            name='players_per_table',
        ),
        migrations.RemoveField(
            model_name='tournament',
            name='rounds',
        ),
        migrations.RemoveField(
            model_name='tournament',
            name='smallest_table',
        ),
        migrations.RemoveField(
            model_name='bye',
            name='number',
        ),
        migrations.RemoveField(
            model_name='fixture',
            name='number',
        ),
        migrations.AlterField(
            model_name='bye',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='tournaments.round'),
        ),
        migrations.AlterField(
            model_name='fixture',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fixtures', to='tournaments.round'),
        ),
        migrations.AlterModelOptions(
            name='bye',
            options={'ordering': ['round__number', 'entry']},
        ),
        migrations.AlterModelOptions(
            name='fixture',
            options={'ordering': ['round__number', 'table']},
        ),
        migrations.AddConstraint(
            model_name='bye',
            constraint=models.UniqueConstraint(models.F('round'), models.F('entry'), name='one_bye_per_entry_of_a_round'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.UniqueConstraint(models.F('round'), models.F('table'), name='one_fixture_per_table_of_a_round'),
        ),
        # Until now "rounds" was the number that tournaments announced.
        migrations.AlterField(
            model_name='round',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournaments.tournament'),
        ),
    ]
