# HOSTILE 05b a regular expression that backtracks for ever, inside one C call.
# EXPECTED VERDICT: "cpu_time".
import re


def act(observation): return str(re.match(r"(a*)*b", "a" * 40))
