import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import web.name_keys


class Migration(migrations.Migration):
    dependencies = [
        ("groups", "0002_claims_of_letters"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0031_team_size"),
    ]

    operations = [
        migrations.CreateModel(
            name="TournamentTemplate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("name_key", web.name_keys.KeyField(default=None, editable=False, null=True, of="name")),
                ("fields", models.JSONField(default=dict)),
                ("registration", models.JSONField(blank=True, default=list)),
                ("plans", models.JSONField(blank=True, default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "group",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tournament_templates",
                        to="groups.group",
                    ),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tournament_templates",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["name_key", "pk"]},
        ),
        migrations.AddConstraint(
            model_name="tournamenttemplate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("group__isnull", True), ("organiser__isnull", False)),
                    models.Q(("group__isnull", False), ("organiser__isnull", True)),
                    _connector="OR",
                ),
                name="template_of_a_person_or_a_group",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournamenttemplate",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="template_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournamenttemplate",
            constraint=models.UniqueConstraint(
                models.F("organiser"), models.F("name_key"), name="template_name_once_for_a_person"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournamenttemplate",
            constraint=models.UniqueConstraint(
                models.F("group"), models.F("name_key"), name="template_name_once_in_a_group"
            ),
        ),
    ]
