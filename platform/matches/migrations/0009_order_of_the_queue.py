"""What holds for every row of the queue, and the index that claims are read from."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("matches", "0008_shares_and_slices")]

    operations = [
        migrations.AddConstraint(
            "match",
            models.CheckConstraint(condition=Q(blocks_kept__lte=F("blocks")), name="match_keeps_its_blocks_at_most"),
        ),
        migrations.AddConstraint(
            "match",
            models.CheckConstraint(
                condition=~Q(state="queued") | Q(account__isnull=False), name="match_queued_has_an_account"
            ),
        ),
        migrations.AddIndex(
            "match",
            models.Index("account", "due", "id", name="match_queued_by_account", condition=Q(state="queued")),
        ),
    ]
