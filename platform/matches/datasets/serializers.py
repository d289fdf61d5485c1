"""What the API reads about data sets."""

from typing import Any

from rest_framework import serializers

from matches.datasets.event import DatasetLicence
from web.serializers import example


@example(licence="CC-BY-4.0")
class DatasetOfferSerializer(serializers.Serializer[Any]):
    """Under which licence the data set is offered; empty: not at all."""

    licence = serializers.ChoiceField(choices=DatasetLicence.choices, allow_blank=True)
