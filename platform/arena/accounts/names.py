"""What a person may be called."""

from typing import Final

from django.core.validators import MaxLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

from bots.names import validate_name

USERNAME_MOST: Final = 30  # characters
# A name stands in addresses and in tables: it begins with a letter or digit, and it never looks like an e-mail
# address, because people may sign in with either.
USERNAME_VALIDATORS: Final = [
    RegexValidator(
        r"\A[^\W_][\w.+-]*\Z",
        _("Letters, digits and . + - _ only, beginning with a letter or a digit."),
    ),
    MaxLengthValidator(USERNAME_MOST),
    validate_name,
]
