"""Prepared files: expensive downloads that a worker makes once for all readers, deleted a day after their last use.

Apps register their kinds of files. A view requests a file, and sends it or reports that it is being prepared.
"""
