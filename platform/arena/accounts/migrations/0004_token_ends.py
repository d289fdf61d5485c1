from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_tokens_end")]

    operations = [
        migrations.AddConstraint(
            "accesstoken", models.CheckConstraint(condition=models.Q(("expiry__isnull", False)), name="token_ends")
        ),
    ]
