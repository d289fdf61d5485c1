"""A Celery request that reports failed acknowledgements."""

from celery.worker.request import Request


class WorkerRequest(Request):
    """A received message. A failed acknowledgement makes the worker reconnect to the broker."""

    def acknowledge(self) -> None:
        """Acknowledge the message. Raise the broker's connection errors, which end the worker's connection.

        Celery's own method only logs them. The message then counts as prefetched for ever, and a worker that prefetches
        one message never asks for another.
        """
        if not self.acknowledged:
            self.message.ack()
            self.acknowledged = True
