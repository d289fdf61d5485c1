import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_key_of_the_name")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="keep_apart",
            field=models.CharField(
                blank=True,
                choices=[("", "nobody"), ("author", "bots of the same author")],
                db_default="",
                default="",
                max_length=10,
                verbose_name="keep apart",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=Q(keep_apart__in=["", "author"]), name="tournament_keep_apart_known"
            ),
        ),
        migrations.CreateModel(
            name="KeptGroup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_of_author", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("entries", models.ManyToManyField(related_name="+", to="tournaments.entry")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_groups",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
    ]
