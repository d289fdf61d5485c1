# HOSTILE 13 rewrites everything it can reach in its own process: the runner's frame, clocks, encoder, the limits it finds.
# EXPECTED VERDICT: "plays on" - it only ever changes its own answers; clocks and limits are the judge's.
import gc
import resource
import sys
import time


def act(observation):
    time.clock_gettime = time.monotonic = time.process_time = lambda *a: 0.0
    frame = sys._getframe(1)
    for module in list(sys.modules.values()):
        for name in ("Limits", "ALLOW", "_RLIMITS", "DETAIL_CAP"):
            if hasattr(module, name): setattr(module, name, None)
    for o in gc.get_objects():
        if isinstance(o, dict) and "act_cpu" in o: o["act_cpu"] = 1e9
    for what in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        before = resource.getrlimit(what)
        try: resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (OSError, ValueError): pass
        if resource.getrlimit(what) != before: raise RuntimeError("LEAK limit %d raised" % what)
    sys.setrecursionlimit(10 ** 6)
    return observation["legal_moves"][0]
