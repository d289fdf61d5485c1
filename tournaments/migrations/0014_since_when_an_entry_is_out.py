from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_invariants")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="withdrawn_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(withdrawn=True) | models.Q(withdrawn_at__isnull=True),
                name="entry_that_is_in_has_not_left",
            ),
        ),
    ]
