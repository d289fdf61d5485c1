"""People, one line each."""

import factory
from factory.django import DjangoModelFactory

from arena.accounts.models import User

PASSWORD = "worms-and-dice-42"


class UserFactory(DjangoModelFactory[User]):
    """A person who can sign in with ``PASSWORD``."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"hen{n}")
    email = factory.LazyAttribute(lambda user: f"{user.username}@example.org")
    password = factory.django.Password(PASSWORD)


class OrganiserFactory(UserFactory):
    """A person who may create tournaments and leagues."""

    is_organiser = True
