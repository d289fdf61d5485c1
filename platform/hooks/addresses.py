"""Which addresses may be sent to: those of the public internet, by HTTPS.

A name is resolved once, and the connection is made to what was checked: a name that answers otherwise the second time
gains nothing.
"""

import asyncio
import ipaddress
import socket
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from web.errors import Refusal

LONGEST: Final = 500
PORTS: Final = {"https": 443, "http": 80}
GLOBAL_V6: Final = ipaddress.ip_network("2000::/3")  # without NAT64, IPv4-mapped, local and multicast addresses
# Those that carry an IPv4 address in themselves, and the former relays to them.
# Of special use by IANA's registries, but public for some versions of Python.
SPECIAL: Final = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "3fff::/20", "5f00::/16", "64:ff9b:1::/48")))
CARRIERS: Final = tuple(map(ipaddress.ip_network, ("2002::/16", "2001::/32", "192.88.99.0/24")))


class BadAddress(Refusal):
    """Nothing is sent to an address like this."""

    code = "bad_address"
    field = "url"


def url_check(url: str) -> str:
    """Return ``url``, if something may be sent there as far as can be told without asking for its name.

    Raises:
        BadAddress: it is none, or not by HTTPS, or within this machine or its network.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise BadAddress(_("An address has at most %(most)d characters, all of them ASCII.") % {"most": LONGEST})
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(_("This is no address: write it as in https://example.org/pecking.")) from error
    schemes = ("https", "http") if settings.HOOKS_ANYWHERE else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise BadAddress(_("This is no address: write it as in https://example.org/pecking."))
    if parts.username is not None or parts.password is not None or parts.fragment or "\\" in url:
        raise BadAddress(_("An address here has no user name, password or fragment."))
    if not settings.HOOKS_ANYWHERE and _is_within(parts.hostname):
        raise BadAddress(_("This address is within a private network, or this machine itself: nothing is sent there."))
    return url


def address_allowed(address: str) -> bool:
    """Tell whether ``address``, in numbers, is one of the public internet."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # with a zone, or no address at all
        return False
    if any(found in carrier for carrier in (*CARRIERS, *SPECIAL) if carrier.version == found.version):
        return False
    if isinstance(found, ipaddress.IPv6Address) and found not in GLOBAL_V6:
        return False
    return found.is_global and not found.is_multicast


async def addresses_of(parts: SplitResult) -> list[str]:
    """Return where a checked URL leads, in numbers, as far as something may be sent there; the name is asked for once.

    Raises:
        OSError: there is no such name.
    """
    loop = asyncio.get_running_loop()
    port = parts.port or PORTS[parts.scheme]
    found = await loop.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(one[4][0]) for one in found))
    return [one for one in numbers if settings.HOOKS_ANYWHERE or address_allowed(one)]


def _is_within(host: str) -> bool:
    """Tell whether ``host`` is an address that is not allowed, or a name that no public server has."""
    try:
        socket.inet_aton(host)  # takes 127.1 and 0x7f000001 too, as the resolver does
        return not address_allowed(socket.inet_ntoa(socket.inet_aton(host)))
    except OSError:
        pass
    if ":" in host:
        return not address_allowed(host)
    name = host.rstrip(".")
    return "." not in name or name.endswith((".localhost", ".local", ".internal", ".home.arpa"))
