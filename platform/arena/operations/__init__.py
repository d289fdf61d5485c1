"""Monitoring for operators: health probes, metrics, the operators' page and the public status."""
