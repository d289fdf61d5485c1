"""A bucket of S3, or of what speaks like it, as a storage of Django's, by boto3: private objects, none written over."""

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
    request_checksum_calculation="when_required",  # not every storage knows the newer ones
    response_checksum_validation="when_required",
)


class BucketStorage(Storage):
    """The objects of ``bucket`` whose keys begin with ``folder`` and a slash, or all of them if it is empty.

    Keys and roles are found as boto3 finds them. Its methods raise what botocore does.
    """

    def __init__(self, bucket: str, folder: str = "", endpoint: str | None = None, region: str | None = None) -> None:
        self.bucket = bucket
        self.prefix = f"{folder}/" if folder else ""
        self.endpoint, self.region = endpoint, region

    @cached_property
    def _client(self) -> Any:
        # A session of its own: threads may share a client, but not the session that makes one.
        session = boto3.Session()
        return session.client("s3", region_name=self.region, endpoint_url=self.endpoint, config=CLIENT)

    def _object(self, name: str) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": f"{self.prefix}{name}"}

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return ``name``: no two objects are given the same, which spares a question."""
        return name

    def _save(self, name: str, content: "File[bytes]") -> str:
        self._client.put_object(**self._object(name), Body=content.file, ContentType="application/octet-stream")
        return name

    def _open(self, name: str, mode: str = "rb") -> "File[bytes]":
        return File(BytesIO(self._client.get_object(**self._object(name))["Body"].read()), name)

    def delete(self, name: str) -> None:
        """Delete an object; one that is not there is deleted already."""
        self._client.delete_object(**self._object(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """Return no folders, and the names of the objects directly in the folder ``path``, "" for the storage's own."""
        prefix = f"{self.prefix}{path.rstrip('/')}/" if path else self.prefix
        pages = self._client.get_paginator("list_objects").paginate(Bucket=self.bucket, Prefix=prefix, Delimiter="/")
        keys = [one["Key"].removeprefix(prefix) for page in pages for one in page.get("Contents", ())]
        return [], [key for key in keys if key]

    def get_modified_time(self, name: str) -> datetime:
        """Return when an object was put there."""
        when: datetime = self._client.head_object(**self._object(name))["LastModified"]
        return when
