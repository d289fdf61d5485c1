# HOSTILE case 08: overflows the C stack through ast and through pickle, the recursion limit out of the way.
# EXPECTED VERDICT: "killed", "crashed", "memory" or "cpu_time".
import ast
import pickle
import sys


def act(observation):
    sys.setrecursionlimit(10 ** 9)
    tree = ast.Constant(1)
    for _ in range(10 ** 6): tree = ast.UnaryOp(ast.USub(), tree)
    compile(ast.Expression(ast.fix_missing_locations(tree)), "x", "eval")
    pickle.dumps(tree)
    raise RuntimeError("still here")
