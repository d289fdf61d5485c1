"""Limits that operators can set: what a process, contest or author may use, and how long data are stored."""

from arena.settings.environment import environment_number, environment_switch, environment_upload_limits
from bots.uploads import KIB, MIB, USUAL, UploadLimits

SOCKETS_PER_ADDRESS = environment_number("SOCKETS_PER_ADDRESS", 200)  # sockets from one address in each web process
SOCKETS_IN_ALL = environment_number("SOCKETS_IN_ALL", 10_000)
REQUESTS_AT_ONCE = environment_number("REQUESTS_AT_ONCE", 3, least=1)  # responses computed at once by one process
FILES_AT_ONCE = environment_number("FILES_AT_ONCE", 2, least=1)  # files generated at once by one process
FILES_PER_ADDRESS = environment_number("FILES_PER_ADDRESS", 30)  # exports and proofs in a minute
# Limits of one contest, and of all unfinished tournaments of one organiser together.
BOT_MEMORY_MIB_MOST = environment_number("BOT_MEMORY_MIB_MOST", 2048)
BOT_START_SECONDS_MOST = environment_number("BOT_START_SECONDS_MOST", 20)  # of processor time, like the next two
BOT_ACTION_SECONDS_MOST = environment_number("BOT_ACTION_SECONDS_MOST", 10)
BOT_GAME_SECONDS_MOST = environment_number("BOT_GAME_SECONDS_MOST", 300)
BLOCKS_MOST = environment_number("BLOCKS_MOST", 500)  # in one match
MIN_ACTION_MS_MOST = environment_number("MIN_ACTION_MS_MOST", 5000)
BROADCAST_MINUTES_MOST = environment_number("BROADCAST_MINUTES_MOST", 120)  # for one match
GAMES_MOST = environment_number("GAMES_MOST", 100_000)  # in one tournament
WORKER_HOURS_MOST = environment_number("WORKER_HOURS_MOST", 100)
# Limits of one author: private matches that wait or run, and worker minutes in a day.
SPARRING_OPEN_MOST = environment_number("SPARRING_OPEN_MOST", 3)
SPARRING_MINUTES_MOST = environment_number("SPARRING_MINUTES_MOST", 60)
# Storage of what bots print, for their authors; timings are stored as long.
OUTPUT_DAYS = environment_number("OUTPUT_DAYS", 14)
OUTPUT_BYTES_PER_GAME = environment_number("OUTPUT_BYTES_PER_GAME", 16 * 1024)
OUTPUT_BYTES_PER_MATCH = environment_number("OUTPUT_BYTES_PER_MATCH", 256 * 1024)  # of one bot in each slice of a match
OUTPUT_BYTES_PER_BOT = environment_number("OUTPUT_BYTES_PER_BOT", 4 * 1024 * 1024)  # the bot's page reads all of it
NOTES_BYTES_PER_MATCH = environment_number("NOTES_BYTES_PER_MATCH", 256 * 1024)  # of one bot in each slice of a match
NOTES_BYTES_PER_BOT = environment_number("NOTES_BYTES_PER_BOT", 8 * 1024 * 1024)  # compressed
# Days for which a sign-in lasts on a device, and for which entries of the audit log are stored.
SESSION_DAYS = environment_number("SESSION_DAYS", 14, least=1)
AUDIT_DAYS = environment_number("AUDIT_DAYS", 730)
# Webhooks of one user: their number, deliveries in 24 hours, and days that deliveries are stored.
HOOKS_MOST = environment_number("HOOKS_MOST", 5)
HOOK_DELIVERIES_MOST = environment_number("HOOK_DELIVERIES_MOST", 1000)
HOOK_DAYS = environment_number("HOOK_DAYS", 14)
HOOKS_ANYWHERE = environment_switch("HOOKS_ANYWHERE")  # allow http and private addresses; for development only
NOTICE_DAYS = environment_number("NOTICE_DAYS", 90)  # days after which notices are deleted, read or not
# Bytes of all stored uploads of one author.
AUTHOR_BYTES_MOST = environment_number("AUTHOR_BYTES_MOST", 50 * 1024 * 1024)
UPLOAD_LIMITS = environment_upload_limits("UPLOAD", USUAL, UploadLimits(KIB, KIB, KIB, 1))
LARGE_UPLOAD_LIMITS = environment_upload_limits(  # limits of users in groups to which staff give this permission
    "LARGE_UPLOAD", UploadLimits(source=2 * MIB, zip=6 * MIB, unpacked=16 * MIB, files=400), UPLOAD_LIMITS
)
# Of any request, checked before Django reads the body.
REQUEST_BODY_MAX = max(8 * MIB, LARGE_UPLOAD_LIMITS.upload + MIB)
