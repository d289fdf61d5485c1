"""Of faults long past only the verdict is kept."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_clocks_of_workers")]

    operations = [
        migrations.AddField("fault", "kept", models.BooleanField(default=True)),
        migrations.AddIndex("fault", models.Index("seat", name="fault_kept_by_seat", condition=Q(kept=True))),
    ]
