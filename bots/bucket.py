"""A Django storage for buckets of S3 and compatible services, with boto3. Objects are private and never overwritten."""

from datetime import datetime
from functools import cached_property
from io import BytesIO
from typing import Any, Final

import boto3
from botocore.config import Config
from django.core.files import File
from django.core.files.storage import Storage

CLIENT: Final = Config(
    connect_timeout=3,
    read_timeout=10,
    retries={"max_attempts": 2},
    signature_version="s3v4",
    request_checksum_calculation="when_required",  # not every service supports the newer checksums
    response_checksum_validation="when_required",
)


class BucketStorage(Storage):
    """The objects of ``bucket`` whose keys begin with ``folder`` and a slash; all objects if ``folder`` is empty.

    Credentials are found by boto3. Methods raise the errors of botocore.
    """

    def __init__(self, bucket: str, folder: str = "", endpoint: str | None = None, region: str | None = None) -> None:
        self.bucket = bucket
        self.prefix = f"{folder}/" if folder else ""
        self.endpoint, self.region = endpoint, region

    @cached_property
    def _client(self) -> Any:
        # Threads may share a client, but not the session that creates it. So each storage has a session of its own.
        session = boto3.Session()
        return session.client("s3", region_name=self.region, endpoint_url=self.endpoint, config=CLIENT)

    def _object(self, name: str) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": f"{self.prefix}{name}"}

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return ``name`` unchanged, because names are unique. This saves a request."""
        return name

    def _save(self, name: str, content: "File[bytes]") -> str:
        self._client.put_object(**self._object(name), Body=content.file, ContentType="application/octet-stream")
        return name

    def _open(self, name: str, mode: str = "rb") -> "File[bytes]":
        return File(BytesIO(self._client.get_object(**self._object(name))["Body"].read()), name)

    def delete(self, name: str) -> None:
        """Delete an object. Do nothing if it does not exist."""
        self._client.delete_object(**self._object(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """Return no folders, and the names of the objects directly in the folder ``path``; "" is the storage's root."""
        prefix = f"{self.prefix}{path.rstrip('/')}/" if path else self.prefix
        pages = self._client.get_paginator("list_objects").paginate(Bucket=self.bucket, Prefix=prefix, Delimiter="/")
        keys = [one["Key"].removeprefix(prefix) for page in pages for one in page.get("Contents", ())]
        return [], [key for key in keys if key]

    def get_modified_time(self, name: str) -> datetime:
        """Return the time when an object was stored."""
        when: datetime = self._client.head_object(**self._object(name))["LastModified"]
        return when
