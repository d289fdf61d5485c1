"""Views of site-wide pages: home, docs, guides, rules, downloads and the projector screen."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from arena.site.author_kit import UnknownHouseBot, kit_house_bot_file, kit_peck_file
from arena.site.context import site_theme_remember
from arena.site.docs_context import docs_context_sample, docs_house_bot_files, docs_limit_rows, docs_rules_context
from arena.site.game_packages import game_package_pip_command, game_packages_browser_games
from arena.site.glossary import glossary_terms
from arena.site.guides import UnknownGuide, guide_of, guides_listed
from arena.site.samples import BY_HTTP, CLASS_BOT, FIRST_BOT, TAUGHT
from arena.site.selectors import home_champions, home_game_tiles, home_leagues, home_tournaments
from arena.watch.selectors import watch_schedule
from arena.watch.timetable import timetable_coming_events
from arena.watch.views import watch_context
from bots.selectors import bot_upload_limits_of
from games.catalogue import GAMES, UnknownRuleset, current, find
from hooks.kinds import hook_kinds_known
from matches.pages.labels import game_label
from peck.site import HERE
from web.page_cache import NOW_SECONDS, TEXT_SECONDS, public_page
from web.requests import request_way_back, visitor_choice_view
from web.screens import screen_context


@public_page(max_age=NOW_SECONDS)
@require_safe
def site_home_view(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"first_bot": FIRST_BOT, "tiles": home_game_tiles(), "champions": home_champions()}
    context["first_bot_game"] = game_label(TAUGHT.name)
    return render(request, "site/home.html", _yard() | watch_context(request) | context)


@public_page(max_age=NOW_SECONDS)
@require_safe
def site_now_view(request: HttpRequest) -> HttpResponse:
    """Show the part of the home page that pages reload regularly."""
    return render(request, "site/now.html", _yard())


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _index(request: HttpRequest) -> str:
    return f"{_origin(request)}{reverse('packages')}"


def _yard() -> dict[str, Any]:
    return {"tournaments": home_tournaments(), "leagues": home_leagues()}


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_bots_view(request: HttpRequest) -> HttpResponse:
    """Show how to write a bot."""
    ruleset = TAUGHT.current
    context = {
        "ruleset": ruleset,
        "first_bot": FIRST_BOT,
        "class_bot": CLASS_BOT,
        "view": docs_context_sample(ruleset),
        "vocabulary": ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {})),
        "limits": docs_limit_rows(),
        "upload_limits": bot_upload_limits_of(request.user),
        "opponent": TAUGHT.house_bots[-2].file_name,
        "house": docs_house_bot_files(),
        "origin": _origin(request),
        "packages": [*dict.fromkeys(filter(None, (game_package_pip_command(game, _index(request)) for game in GAMES)))],
        "rulesets": [game.current for game in GAMES.values()],
    }
    return render(request, "site/docs_bots.html", context)


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_http_view(request: HttpRequest) -> HttpResponse:
    """Show how to create, upload and be notified by HTTP alone."""
    script = BY_HTTP.replace(HERE, _origin(request))
    return render(request, "site/docs_http_alone.html", {"script": script, "kinds": hook_kinds_known().values()})


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_glossary_view(request: HttpRequest) -> HttpResponse:
    """Show the glossary."""
    return render(request, "site/glossary.html", {"terms": glossary_terms()})


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_handbook_view(request: HttpRequest) -> HttpResponse:
    """Show the list of all guides."""
    return render(request, "site/handbook.html", {"groups": guides_listed()})


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_part_view(_request: HttpRequest, guides: str) -> HttpResponse:
    """Redirect to the list of guides of one part, such as "how-to"."""
    return redirect(f"{reverse('docs-handbook')}#{guides}")


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_guide_view(request: HttpRequest, guide: str) -> HttpResponse:
    """Show a guide."""
    try:
        found = guide_of(guide)
    except UnknownGuide as error:
        raise Http404(str(error)) from error
    return render(request, "site/guide.html", {"guide": found, "path": guide})


@require_safe
def docs_peck_file_view(request: HttpRequest) -> HttpResponse:
    """Send the kit as a file."""
    return _download(kit_peck_file(), "peck.pyz", "application/zip")


@require_safe
def docs_house_bot_file_view(request: HttpRequest, name: str, file: str) -> HttpResponse:
    """Send the file of a house bot."""
    try:
        source = kit_house_bot_file(name, file)
    except UnknownHouseBot as error:
        raise Http404(str(error)) from error
    return _download(source, file, "text/plain; charset=utf-8")


def _download(data: bytes, name: str, kind: str) -> HttpResponse:
    return HttpResponse(data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_rules_index_view(request: HttpRequest) -> HttpResponse:
    """List all games with links to their rules."""
    return render(
        request, "site/rules/index.html", {"games": home_game_tiles(), "in_browsers": game_packages_browser_games()}
    )


@public_page(max_age=TEXT_SECONDS)
@require_safe
def docs_rules_view(request: HttpRequest, name: str, version: int | None = None) -> HttpResponse:
    """Show the rules of a game and the options that an organiser may set, of the current or of a given version."""
    try:
        ruleset = current(name) if version is None else find(f"{name}/{version}")
    except UnknownRuleset as error:
        raise Http404(str(error)) from error
    context = docs_rules_context(ruleset) | {"pip": game_package_pip_command(name, _index(request))}
    return render(request, f"{ruleset.name}/rules.html", context)


@visitor_choice_view
@require_POST
def site_theme_view(request: HttpRequest) -> HttpResponse:
    """Store the theme chosen in the menu without JavaScript, and redirect back."""
    response = HttpResponseRedirect(request_way_back(request))
    site_theme_remember(response, theme=request.POST.get("theme", ""))
    return response


LADDER_ROWS: Final = 16
NEXT_SHOWN: Final = 6


@public_page(max_age=NOW_SECONDS)
@require_safe
def site_screen_view(request: HttpRequest) -> HttpResponse:
    """Rotate through boards, tournaments, ladders and coming events. Results of single matches stay hidden, because
    people who look at the screen have not asked to see them.
    """
    context = screen_context(request, reverse("home"), is_shared=True)
    context |= {
        "boards": watch_schedule().boards,
        "tournaments": home_tournaments(),
        "leagues": home_leagues("", LADDER_ROWS),
        "coming": timetable_coming_events(NEXT_SHOWN),
    }
    return render(request, "site/site_screen.html", context)
