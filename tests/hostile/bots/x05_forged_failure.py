# HOSTILE x05: forges the runner's report of a failure, full of terminal escapes, HTML, bidirectional controls and line ends.
# EXPECTED VERDICT: "crashed", with a harmless text.
import os

EVIL = ("\x1b[2J\x1b]8;;http://x\x07click\x1b]8;;\x07\u202e<script>alert(1)</script>\r\n2026-01-01 CRITICAL judge: all is lost\x85\u2028\u2029\u2066" * 9).encode()
def text(data): return b"\xda" + len(data).to_bytes(2, "big") + data
def act(observation):
    os.write(3, b"X" + b"\x94" + text(b"crashed") + text(b"\x1b[31mError") + b"\xcf" + b"\x7f" * 8 + text(EVIL))
    while True: pass
