"""The delivery of a message to a Celery worker."""

from celery.worker.request import Request


class WorkerRequest(Request):
    """A delivery whose lost acknowledgement makes the worker connect to the broker again."""

    def acknowledge(self) -> None:
        """Acknowledge the message. Raises the broker's connection errors, which end the worker's connection.

        Celery's own method logs them and goes on; the message then counts as prefetched for ever, and a worker that
        prefetches one never asks for another.
        """
        if not self.acknowledged:
            self.message.ack()
            self.acknowledged = True
