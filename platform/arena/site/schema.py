"""The schema of the API, made once in a process for each language and format."""

import threading
from functools import lru_cache
from typing import Any, Final

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView
from rest_framework.request import Request

_GENERATING: Final = threading.Lock()  # drf-spectacular uses one inspector of a view in all threads


class SchemaView(SpectacularAPIView):
    """Serves what drf-spectacular makes: half a second of processor time, and the same for everybody."""

    @extend_schema(**SCHEMA_KWARGS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the schema as YAML or JSON."""
        renderer: Any = request.accepted_renderer
        with _GENERATING:
            body = _rendered(renderer.format, get_language())
        kind = f"{renderer.media_type}; charset={renderer.charset}" if renderer.charset else renderer.media_type
        headers = {"Content-Disposition": f'inline; filename="{self._get_filename(request, "")}"'}  # type: ignore[no-untyped-call]
        return HttpResponse(body, content_type=kind, headers=headers)


@lru_cache(maxsize=16)
def _rendered(kind: str, _language: str) -> bytes:
    schema = SchemaView.generator_class().get_schema(public=True)  # type: ignore[no-untyped-call]
    renderer: Any = next(one for one in SchemaView.renderer_classes if one.format == kind)
    body: bytes = renderer().render(schema, renderer_context={})
    return body
