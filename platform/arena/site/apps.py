from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "arena.site"
    label = "site_pages"
