from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0029_admission_in_plain_words")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="new_versions",
            field=models.CharField(
                choices=[
                    ("never", "never"),
                    ("between_stages", "between stages"),
                    ("between_rounds", "between rounds"),
                ],
                db_default="never",
                default="never",
                max_length=20,
                verbose_name="new versions of bots",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("new_versions__in", ["never", "between_stages", "between_rounds"])),
                name="tournament_new_versions_known",
            ),
        ),
    ]
