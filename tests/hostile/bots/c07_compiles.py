# HOSTILE case 07: has the parser and the compiler of its own process eat parentheses, brackets and a giant literal.
# EXPECTED VERDICT: "crashed", "memory", "killed" or "cpu_time": only its own process.
def act(observation):
    for source in ("(" * 10 ** 6 + ")" * 10 ** 6, "[" * 150 + "]" * 150, "-" * 10 ** 6 + "1", "(0," * 90 + "9" * 10 ** 7):
        try: compile(source, "x", "eval")
        except (SyntaxError, MemoryError, RecursionError, ValueError): pass
    raise RuntimeError("survived its own parser")
