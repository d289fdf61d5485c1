# HOSTILE case 05: a loop inside one C call.
# EXPECTED VERDICT: "cpu_time".
def act(observation): return str(sum(range(10 ** 12)))
