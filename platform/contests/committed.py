"""A secret that was committed to before anybody could act on it: draws and seeds follow from it."""

from hashlib import sha256

from django.db import models


class Committed(models.Model):
    """``secret`` is drawn before anything follows from it. Its SHA-256 is shown from the start on, the secret itself
    once everything that follows from it is over."""

    secret = models.BinaryField(max_length=32)

    class Meta:
        abstract = True

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret in hexadecimal: may be shown at any time, while the secret may not."""
        return sha256(bytes(self.secret)).hexdigest()
