"""Formats of dates and times: short, day first, 24 hours. ``local-time.js`` uses the same for the reader's time
zone."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j. N Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "D, j. N Y, H:i"
