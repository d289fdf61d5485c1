"""The tables as of 0.1.0. ``replaces``: a database that has taken all of those stands here already."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("organisers", "0001_asked_and_granted"),
        ("organisers", "0002_allowances"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="OrganiserAllowance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "worker_hours",
                    models.PositiveIntegerField(
                        help_text="Of all unfinished tournaments together.", verbose_name="worker-hours"
                    ),
                ),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_allowance",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "allowance of an organiser",
                "verbose_name_plural": "allowances of organisers",
            },
        ),
        migrations.CreateModel(
            name="OrganiserChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("granted", models.BooleanField(verbose_name="granted")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="when")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "change of an organiser",
                "verbose_name_plural": "changes of organisers",
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="OrganiserRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField(max_length=500, verbose_name="reason")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="asked")),
                ("granted", models.BooleanField(default=None, null=True, verbose_name="granted")),
                ("decided", models.DateTimeField(default=None, null=True, verbose_name="decided")),
                (
                    "decided_by",
                    models.ForeignKey(
                        default=None,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_requests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "request to become an organiser",
                "verbose_name_plural": "requests to become an organiser",
                "ordering": ["-created", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("person"),
                        condition=models.Q(("decided__isnull", True)),
                        name="person_asks_once_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided__isnull", True), ("granted__isnull", True)),
                            models.Q(("decided__isnull", False), ("granted__isnull", False)),
                            _connector="OR",
                        ),
                        name="request_decided_has_a_time",
                    ),
                ],
            },
        ),
    ]
