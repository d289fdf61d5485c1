"""How dates and times are written: short, the day first, 24 hours, as ``local-time.js`` writes the reader's own."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "D, j M Y, H:i"
TIME_FORMAT = "H:i"
