"""What each viewer may read of a version: everyone its state, staff its report, the owner the source beside it too."""

from typing import Any

from bots.failure import Failure
from bots.models import BotVersion, VersionState
from games.protocol import Limits


def verdict_context(viewer: Any, version: BotVersion) -> dict[str, Any]:
    """Return the context of the version's page. ``report`` and ``failure`` are None for strangers."""
    is_owner = viewer.pk is not None and viewer.pk == version.bot.owner_id
    may_read = is_owner or viewer.is_staff
    refused = version.state == VersionState.REFUSED
    files = version.files() if version.kept else {}
    return {
        "version": version,
        "bot": version.bot,
        "is_owner": is_owner,
        "is_current": version.bot.current_id == version.pk,
        "report": version.report if may_read else None,
        "failure": Failure.of(version.report, files if is_owner else {}) if refused and may_read else None,
        "action_limit": version.report.get("limit") or Limits().act_cpu,
    }
