"""The group that an address names, for who may see it: outsiders are answered as if there were none."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from groups.models import Group
from groups.selectors import may_manage, may_own, may_see


def seen_group(request: HttpRequest, slug: str) -> Group:
    """Return the group, for its members and staff of the site."""
    group = get_object_or_404(Group, slug=slug)
    if not may_see(request.user, group):
        raise Http404
    return group


def managed_group(request: HttpRequest, slug: str) -> Group:
    """Return the group, for its owners and staff; members are refused."""
    group = seen_group(request, slug)
    if not may_manage(request.user, group):
        raise PermissionDenied(_("Only owners and staff of this group may do this."))
    return group


def owned_group(request: HttpRequest, slug: str) -> Group:
    """Return the group, for its owners; everybody else in it is refused."""
    group = seen_group(request, slug)
    if not may_own(request.user, group):
        raise PermissionDenied(_("Only an owner of this group may do this."))
    return group
