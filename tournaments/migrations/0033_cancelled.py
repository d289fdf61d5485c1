from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0032_templates")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="cancelled_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="cancelled_by",
            field=models.CharField(
                blank=True,
                choices=[("organiser", "the organiser"), ("staff", "staff of this site")],
                db_default="",
                default="",
                editable=False,
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="cancelled_reason",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=300),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state", "cancelled"),
                    models.Q(("cancelled_at__isnull", True), ("cancelled_by", ""), ("cancelled_reason", "")),
                    _connector="OR",
                ),
                name="tournament_cancelled_alone_says_so",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("cancelled_by__in", ["", "organiser", "staff"])),
                name="tournament_cancelled_by_known",
            ),
        ),
    ]
