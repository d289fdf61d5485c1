"""The e-mail to the owner of a hook that was paused."""

from django.utils.translation import gettext as _

from hooks.models import Hook, PausedBecause
from web.email import email_send, link_to


def owner_notify(*, hook_id: int) -> None:
    """Write to the owner, if the hook is still paused and not by the owner."""
    hook = Hook.objects.select_related("owner").filter(pk=hook_id).first()
    if hook is None or hook.paused_because not in (PausedBecause.FAILING, PausedBecause.GONE):
        return
    values = {"person": hook.owner.username, "url": hook.url, "page": link_to("hooks:detail", hook.pk)}
    email_send(
        to=hook.owner,
        subject=_("A webhook of yours is paused"),
        text=_(
            "Hello %(person)s,\n\n"
            "your webhook %(url)s does not take what it is sent, so it is paused: nothing is sent to it now.\n"
            "What it answered stands on %(page)s; resume it there when it works again.\n"
        )
        % values,
    )
