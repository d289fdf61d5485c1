
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0009_key_of_the_name'),
    ]

    operations = [
        migrations.CreateModel(
            name='Exclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('act', models.CharField(choices=[('out', 'taken out'), ('in', 'let in again')], max_length=3)),
                ('by', models.CharField(choices=[('organiser', 'the organiser'), ('staff', 'staff')], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('membership', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exclusions', to='league.membership')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('act__in', ['out', 'in'])), name='exclusion_act_known'), models.CheckConstraint(condition=models.Q(('by__in', ['organiser', 'staff'])), name='exclusion_by_known'), models.CheckConstraint(condition=models.Q(models.Q(('act', 'out'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='exclusion_out_has_a_reason')],
            },
        ),
    ]
