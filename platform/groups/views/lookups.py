"""Look up the group of an address, if the reader may see it. Outsiders get a 404."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from groups.models import Group
from groups.selectors import may_manage_group, may_own_group, may_see_group


def seen_group(request: HttpRequest, slug: str) -> Group:
    """Return the group for its members and staff of the site. Other users get a 404."""
    group = get_object_or_404(Group, slug=slug)
    if not may_see_group(request.user, group):
        raise Http404
    return group


def managed_group(request: HttpRequest, slug: str) -> Group:
    """Return the group for its owners and staff. Members get a 403."""
    group = seen_group(request, slug)
    if not may_manage_group(request.user, group):
        raise PermissionDenied(_("Only owners and staff of this group may do this."))
    return group


def owned_group(request: HttpRequest, slug: str) -> Group:
    """Return the group for its owners. Other members get a 403."""
    group = seen_group(request, slug)
    if not may_own_group(request.user, group):
        raise PermissionDenied(_("Only an owner of this group may do this."))
    return group
