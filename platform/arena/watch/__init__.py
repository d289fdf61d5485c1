"""What to watch: a featured match, small boards, and a timetable of coming events."""
