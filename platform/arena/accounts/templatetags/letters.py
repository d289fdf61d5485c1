"""What account pages say of the site's mail."""

from django import template

from web.email import MailState, email_state

register = template.Library()


@register.inclusion_tag("account/mail_notice.html")
def mail_notice() -> dict[str, MailState]:
    """Say that letters do not arrive, where that is so."""
    return {"state": email_state()}
