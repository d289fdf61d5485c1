from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_stages_only"),
        ("matches", "0002_series"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="withdrawn_because",
            field=models.CharField(
                blank=True, choices=[("forfeits", "too many matches forfeited by its faults")], max_length=20
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="forfeits",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("withdrawn_because", ""),
                    models.Q(("withdrawn", True), ("withdrawn_because__in", ["forfeits"])),
                    _connector="OR",
                ),
                name="entry_withdrawal_known",
            ),
        ),
    ]
