"""Addresses of site-wide pages and of the docs."""

from django.urls import include, path, re_path

from arena.accounts.export import ExportView
from arena.accounts.views import MeView
from arena.search import views as search_views
from arena.site import api, markdown_docs, package_index, views
from arena.site.api import SchemaView
from arena.site.guides import PARTS, PATH
from web.page_cache import TEXT_SECONDS, public_page

texts = [
    path("bots.md", markdown_docs.markdown_docs_bots_view, name="docs-bots-text"),
    path("http.md", markdown_docs.markdown_docs_http_view, name="docs-http-text"),
    path("glossary.md", markdown_docs.markdown_docs_glossary_view, name="docs-glossary-text"),
    re_path(rf"^(?P<guide>{PATH})\.md$", markdown_docs.markdown_docs_guide_view, name="docs-guide-text"),
    path("rules.md", markdown_docs.markdown_docs_rules_index_view, name="docs-rules-index-text"),
    path("rules/<slug:name>.md", markdown_docs.markdown_docs_rules_view, name="docs-rules-text"),
    path("rules/<slug:name>/<int:version>.md", markdown_docs.markdown_docs_rules_view, name="docs-rules-version-text"),
]
urlpatterns = [
    path("", views.site_home_view, name="home"),
    path("now/", views.site_now_view, name="now"),
    path("screen/", views.site_screen_view, name="screen"),
    path("search/", search_views.search_page, name="search"),
    path("docs/", views.docs_handbook_view, name="docs-handbook"),
    re_path(rf"^docs/(?P<guides>{'|'.join(PARTS)})/$", views.docs_part_view, name="docs-part"),
    re_path(rf"^docs/(?P<guide>{PATH})/$", views.docs_guide_view, name="docs-guide"),
    path("docs/bots/", views.docs_bots_view, name="docs-bots"),
    path("docs/http/", views.docs_http_view, name="docs-http"),
    path("docs/glossary/", views.docs_glossary_view, name="docs-glossary"),
    path("llms.txt", markdown_docs.markdown_llms_text_view, name="llms"),
    path("docs/", include(texts)),
    path("docs/simple/", package_index.package_index_projects_view, name="packages"),
    path("docs/simple/<slug:name>/", package_index.package_index_project_view, name="package"),
    path("docs/simple/<slug:name>/<str:file>", package_index.package_index_file_view, name="package-file"),
    path("docs/peck.pyz", views.docs_peck_file_view, name="peck"),
    path("docs/house/<slug:name>/<str:file>", views.docs_house_bot_file_view, name="house-bot"),
    path("docs/rules/", views.docs_rules_index_view, name="docs-rules-index"),
    path("docs/rules/<slug:name>/", views.docs_rules_view, name="docs-rules"),
    path("docs/rules/<slug:name>/<int:version>/", views.docs_rules_view, name="docs-rules-version"),
    path("theme/", views.site_theme_view, name="theme"),
    path("api/", api.IndexView.as_view(), name="api-index"),
    path("api/me/export/", ExportView.as_view(), name="api-me-export"),
    path("api/me/", MeView.as_view(), name="api-me"),
    path("api/games/", api.GamesView.as_view(), name="api-games"),
    path("api/games/<slug:name>/", api.GameView.as_view(), name="api-game"),
    path("api/games/<slug:name>/<int:version>/", api.GameVersionView.as_view(), name="api-game-version"),
    path("api/schema/", SchemaView.as_view(), name="api-schema"),
    path(
        "api/docs/",
        public_page(max_age=TEXT_SECONDS, query=("script",))(
            api.DocsView.as_view(url_name="api-schema", template_name="site/api_docs.html")
        ),
        name="api-docs",
    ),
]
