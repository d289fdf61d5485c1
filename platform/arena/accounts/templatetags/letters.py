"""A template tag with the state of the site's email."""

from django import template

from web.email import MailState, email_state

register = template.Library()


@register.inclusion_tag("account/mail_notice.html")
def mail_notice() -> dict[str, MailState]:
    """Show a notice while emails cannot be sent."""
    return {"state": email_state()}
