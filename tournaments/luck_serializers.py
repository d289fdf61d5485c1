"""A tournament's luck as JSON."""

from typing import Any

from rest_framework import serializers

from web.api_examples import DIGEST, example_shown


@example_shown(text="The dice say 3, 1 and 6.", by="ada")
class NonceSerializer(serializers.Serializer[Any]):
    """What somebody added to the luck between the freeze of the entries and the start."""

    text = serializers.CharField()
    by = serializers.CharField(source="by_name", allow_null=True, help_text="Null: account deleted.")
    created_at = serializers.DateTimeField()


@example_shown(commitment=DIGEST, secret="", entries_digest=DIGEST, mixed=True)
class LuckSerializer(serializers.Serializer[Any]):
    """What seeds and lots follow from: a secret, the frozen entries, and nonces in the order in which they came."""

    number = serializers.IntegerField()
    commitment = serializers.CharField(help_text="SHA-256 of the secret, hexadecimal.")
    secret = serializers.CharField(help_text="Hexadecimal; empty until nothing is played from it any more.")
    entries_digest = serializers.CharField(help_text="Of the frozen entries; empty before.")
    nonces = NonceSerializer(many=True)
    mixed = serializers.BooleanField(help_text="False in an older tournament, whose luck is its secret alone.")
    frozen_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
