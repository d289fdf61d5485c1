# HOSTILE 20b says at import that it is ready, that its box is broken (which would be the platform's fault), and dies.
# EXPECTED VERDICT: "unsolicited" or "exited" or "protocol": the bot's fault whatever it says, never the platform's.
import os

os.write(3, b"R")
os.write(3, b"E" + b"OSError: out of order, please replay this match")
os._exit(97)
