"""Forms of account pages: allauth's with additional fields, and the form of a new access token."""

from typing import Any, Final

from allauth.account import forms as theirs
from allauth.account.adapter import get_adapter
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms
from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from arena.accounts.tasks import reset_email_task
from arena.accounts.tokens import YEAR
from bots.bot_names import validate_bot_name

USERNAME_MOST: Final = 30  # characters
# User names stand in addresses and tables, so they begin with a letter or digit. They contain no @, because users can
# sign in with a name or an email address.
USERNAME_VALIDATORS: Final = [
    RegexValidator(
        r"\A[^\W_][\w.+-]*\Z",
        _("Letters, digits and . + - _ only, beginning with a letter or a digit."),
    ),
    MaxLengthValidator(USERNAME_MOST),
    validate_bot_name,
]


PASSWORD_HELP: Final = _("At least 8 characters, and not only digits.")  # also the error message for the other rules
LIVES: Final = [(30, _("30 days")), (90, _("90 days")), (YEAR, _("a year"))]


class TokenForm(forms.Form):
    """The name and the lifetime of a new access token."""

    name = forms.CharField(
        label=_("What is it for?"),
        help_text=_("A name to recognise it by, such as the computer that uses it."),
        max_length=60,
        widget=forms.TextInput({"autocomplete": "off", "placeholder": _("laptop")}),
    )
    days = forms.TypedChoiceField(
        label=_("Expires after"),
        choices=LIVES,
        coerce=int,
        empty_value=YEAR,  # type: ignore[arg-type]  # the stubs know only text
        initial=YEAR,
        required=False,
    )
    scopes = forms.MultipleChoiceField(
        label=_("Permissions besides reading"),
        help_text=_("Choose as few as possible: anyone who gets hold of the token has them too."),
        choices=[
            ("upload", _("create bots, upload versions, enter and join")),
            ("organise", _("run my tournaments and leagues, and make rulings")),
            ("hooks", _("make and change my webhooks")),
        ],
        widget=forms.CheckboxSelectMultiple,
        initial=["upload"],
        required=False,
    )


class LoginForm(theirs.LoginForm):  # type: ignore[misc]  # allauth is untyped
    """A name or address and a password. The link to a new password is below the form, not between its fields."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username or email")
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["password"].help_text = ""
        if "remember" in self.fields:
            self.fields["remember"].label = _("Keep me signed in")


class WholeAccount:
    """Create the account together with its email address, or neither."""

    def try_save(self, request: HttpRequest) -> Any:
        """Create both.

        Raises:
            IntegrityError: another user has just taken the name or the address.
        """
        with transaction.atomic():
            return super().try_save(request)  # type: ignore[misc]


class SignupForm(WholeAccount, theirs.SignupForm):  # type: ignore[misc]  # allauth is untyped
    """Sign up. The field limits the length of a name to ``USERNAME_MOST``, which is below the database's limit."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["maxlength"] = USERNAME_MOST
        self.fields["password1"].help_text = PASSWORD_HELP


class SingleSignOnForm(WholeAccount, SocialSignupForm):  # type: ignore[misc]
    """Choose a name and address at the first single sign-on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["maxlength"] = USERNAME_MOST
        self.fields["username"].help_text = _("Everybody sees it. It need not be your real name.")


class ChangePasswordForm(theirs.ChangePasswordForm):  # type: ignore[misc]  # allauth is untyped
    """Set a new password, and decide whether existing access tokens remain valid."""

    end_tokens = forms.BooleanField(
        label=_("Revoke my access tokens too"),
        help_text=_(
            "If somebody knows your password, they may have created a token. Your programs will need new tokens."
        ),
        required=False,
        initial=True,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in (
            ("oldpassword", _("Current password")),
            ("password1", _("New password")),
            ("password2", _("New password (again)")),
        ):
            self.fields[name].label = label
        self.fields["password1"].help_text = PASSWORD_HELP

    def save(self) -> None:
        person: Any = self.user
        person.keeps_tokens = not self.cleaned_data["end_tokens"]
        super().save()


class ResetPasswordForm(theirs.ResetPasswordForm):  # type: ignore[misc]  # allauth is untyped
    """Request a link for a new password. The worker that sends the email looks up the account later."""

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        reset_email_task.delay(email, get_language() or "en")
        return email
