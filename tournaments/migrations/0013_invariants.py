from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_heats")]

    operations = [
        migrations.AddConstraint(
            model_name="displaced",
            constraint=models.CheckConstraint(condition=models.Q(attempt__gte=1), name="displaced_was_an_attempt"),
        ),
        migrations.AddConstraint(
            model_name="fixture",
            constraint=models.CheckConstraint(condition=models.Q(attempt__gte=1), name="fixture_is_an_attempt"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=~models.Q(kind="reinstate")
                | models.Q(match__isnull=False, entry__isnull=True)
                | models.Q(match__isnull=True, entry__isnull=False),
                name="ruling_taken_back_names_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(drawn=0) | models.Q(started__isnull=False), name="stage_draws_after_its_start"
            ),
        ),
    ]
