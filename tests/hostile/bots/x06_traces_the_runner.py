# HOSTILE x06: puts tracers, profilers, collector callbacks, audit and import hooks on the runner.
# EXPECTED VERDICT: "exited" or "crashed" (it breaks its own runner), or "plays on"; the judge is not its process.
import gc
import sys
import threading

CALLS = []
def trace(frame, event, arg):
    CALLS.append(event)
    for name in list(frame.f_locals)[:3]: frame.f_locals[name] = None
    return trace
def act(observation):
    sys.settrace(trace); threading.settrace(trace); sys.setprofile(trace); sys.addaudithook(lambda *a: CALLS.append(a[0]))
    gc.callbacks.append(lambda *a: CALLS.append("gc")); gc.set_threshold(1)
    sys.meta_path.insert(0, object()); sys.path_hooks.clear(); sys.unraisablehook = sys.excepthook = trace; sys.displayhook = None
    if len(CALLS) > 10 ** 5: CALLS.clear()
    return observation["legal_moves"][0]
