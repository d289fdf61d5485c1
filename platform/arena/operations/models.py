"""The models of the operators' pages: incidents, sizes of tables, and backups."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

TEXT_MOST = 300


class Incident(models.Model):
    """A problem that users notice, or will notice. It lasts until ``ended_at``."""

    text = models.CharField(
        _("what people notice"), max_length=TEXT_MOST, help_text=_("Everyone reads it: no names of machines.")
    )
    began_at = models.DateTimeField(_("began"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        ordering = ["-began_at", "-pk"]
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("began_at")), name="incident_ends_after_it_began"
            )
        ]

    def __str__(self) -> str:
        return self.text


class TableSize(models.Model):
    """The size of a table and its indexes on a day, in bytes."""

    table = models.CharField(max_length=100)
    day = models.DateField()
    size = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint("table", "day", name="table_measured_once_a_day")]

    def __str__(self) -> str:
        return f"{self.table}, {self.day}"


class Backup(models.Model):
    """A backup made by ``manage.py backup``: the length of its file and its digest."""

    made_at = models.DateTimeField(default=timezone.now)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M}"
