# HOSTILE x09: a chain of a hundred thousand causes, each with notes, one of them its own cause.
# EXPECTED VERDICT: "crashed" or "cpu_time"; the report stays small.
def act(observation):
    error = first = ValueError("first")
    for n in range(10 ** 5):
        later = RuntimeError("x" * 100); later.__cause__ = error; later.__notes__ = ["note" * 100] * 3; error = later
    first.__context__ = first.__cause__ = error
    raise error
