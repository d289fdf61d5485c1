"""What tests find in a database that the test before them emptied."""

import pytest
from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db.models import Model


def _rows(model: type[Model]) -> list[object]:
    return list(model.objects.order_by("pk").values())


@pytest.mark.django_db(transaction=True)
def test_names_of_models_and_permissions_are_what_migrate_makes():
    types, permissions = _rows(ContentType), _rows(Permission)
    call_command("flush", interactive=False, reset_sequences=False, verbosity=0)
    assert (_rows(ContentType), _rows(Permission)) == (types, permissions)
    for app in apps.get_app_configs():
        create_permissions(app, verbosity=0)
    assert _rows(Permission) == permissions != []
