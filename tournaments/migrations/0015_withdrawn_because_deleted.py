"""An entry may be withdrawn because its author deleted the bot."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("bots", "0003_deletion_and_kept_files"), ("tournaments", "0014_since_when_an_entry_is_out")]

    operations = [
        migrations.RemoveConstraint("entry", "entry_withdrawal_known"),
        migrations.AlterField(
            "entry",
            "withdrawn_because",
            models.CharField(
                blank=True,
                max_length=20,
                choices=[
                    ("forfeits", "too many matches forfeited by its faults"),
                    ("deleted", "deleted by its author"),
                ],
            ),
        ),
        migrations.AddConstraint(
            "entry",
            models.CheckConstraint(
                condition=Q(withdrawn_because="") | Q(withdrawn=True, withdrawn_because__in=["forfeits", "deleted"]),
                name="entry_withdrawal_known",
            ),
        ),
    ]
