"""People, for those who administer the site."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]  # generic only to the type checker
    list_display = ("username", "email", "is_organiser", "is_staff", "is_active", "date_joined")
    list_filter = ("is_organiser", "is_staff", "is_active")
    list_editable = ("is_organiser",)
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Pecking Order"), {"fields": ("is_organiser",)}))
