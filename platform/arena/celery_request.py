"""A Celery request that reports failed acknowledgements."""

from celery.worker.request import Request


class WorkerRequest(Request):
    """A received message. A failed acknowledgement makes the worker reconnect to the broker."""

    def acknowledge(self) -> None:
        """Acknowledge the message. Raise the broker's connection errors, which end the worker's connection.

        Celery's own method only logs these errors. The message then counts as prefetched for ever. A worker that
        prefetches only one message would never ask for another.
        """
        if not self.acknowledged:
            self.message.ack()
            self.acknowledged = True
