"""margins.py - runs a test and notes how much of each tolerance it uses: margins.py TEST.py [ARGUMENT...]

Every `error < tolerance` of an assert, and every np.allclose, appends TEST FILE:LINE USED TOLERANCE to the file DOVETAIL_TEST_MARGINS; where
a helper compares, the line of its caller follows its own. A comparison with a small number, or with something that is called a tolerance,
counts. The tests themselves know nothing of it: their source is changed as it is loaded. Loops over ranks that end at 3 go on to 4.
"""
import ast
import importlib.abc
import importlib.machinery
import os
import re
import sys
import types

import numpy as np

TESTS = os.path.dirname(os.path.abspath(__file__))
TOLERANCES = re.compile(r"tol|allowed|bound|most\b|PRINTED|CONVERGED|relative", re.IGNORECASE)
SMALL = 0.05


def place():
    """FILE:LINE of the comparison and, in a helper, <LINE of who called it."""
    frame, lines = sys._getframe(2), []
    while frame and len(lines) < 2:
        path = frame.f_code.co_filename
        line = f"{os.path.basename(path)}:{frame.f_lineno}"
        if path.startswith(TESTS) and path != __file__ and frame.f_code.co_name != "<module>" and line not in lines:
            lines.append(line)
        frame = frame.f_back
    return "<".join(lines) or "-"


def note(error, tolerance, where):
    error, tolerance = np.broadcast_arrays(np.abs(np.asarray(error, float)), np.asarray(tolerance, float))
    if not error.size or not os.environ.get("DOVETAIL_TEST_MARGINS"):
        return
    with np.errstate(all="ignore"):
        used = np.where(error > 0, error / tolerance, 0)
    at = np.argmax(np.where(np.isnan(used), np.inf, used))
    with open(os.environ["DOVETAIL_TEST_MARGINS"], "a", encoding="utf-8") as file:
        file.write(f"{os.environ.get('DOVETAIL_TEST', '-')} {where} {used.flat[at]:.6g} {tolerance.flat[at]:.3g}\n")


def below(left, operation, right):
    """What `left < right` is, after a note of it."""
    try:
        note(left, right, place())
    except (TypeError, ValueError):
        pass  # these are no numbers
    return left <= right if operation == "LtE" else left < right


def above(left, operation, right):
    """What `left > -tolerance` is, after a note of it."""
    try:
        note(np.minimum(left, 0), -right, place())
    except (TypeError, ValueError):
        pass
    return left >= right if operation == "GtE" else left > right


def allclose(name, found, wanted, rtol=1e-5, atol=1e-8, **more):
    note(np.asarray(found) - np.asarray(wanted), atol + rtol * np.abs(wanted), place())
    return getattr(np, name)(found, wanted, rtol=rtol, atol=atol, **more)


def is_tolerance(node):
    return any(isinstance(part, ast.Constant) and isinstance(part.value, float) and 0 < abs(part.value) < SMALL or
               isinstance(part, (ast.Name, ast.Constant, ast.Attribute)) and TOLERANCES.search(ast.unparse(part)) for part in ast.walk(node))


class InAsserts(ast.NodeTransformer):
    def visit_Compare(self, node):
        self.generic_visit(node)
        operation, right = type(node.ops[-1]).__name__, node.comparators[-1]
        if operation in ("Gt", "GtE") and len(node.ops) == 1 and ast.unparse(right).startswith("-") and is_tolerance(right):
            return ast.Call(ast.Name("_above", ast.Load()), [node.left, ast.Constant(operation), right], [])
        if operation not in ("Lt", "LtE") or not is_tolerance(right) or len(node.ops) > 2:
            return node
        left = node.left if len(node.ops) == 1 else node.comparators[0]
        if len(node.ops) == 2 and not (isinstance(node.left, ast.Constant) and node.left.value == 0):
            return node  # a band, not a tolerance
        check = ast.Call(ast.Name("_below", ast.Load()), [left, ast.Constant(operation), right], [])
        if len(node.ops) == 2:
            return ast.BoolOp(ast.And(), [ast.Compare(node.left, node.ops[:1], [left]), check])
        return check

    def visit_Call(self, node):
        self.generic_visit(node)
        if ast.unparse(node.func) in ("np.allclose", "np.isclose"):
            return ast.Call(ast.Name("_allclose", ast.Load()), [ast.Constant(node.func.attr)] + node.args, node.keywords)
        return node


class Statements(ast.NodeTransformer):
    def visit_Assert(self, node):
        node.test = InAsserts().visit(node.test)
        return node

    def visit_If(self, node):
        if TOLERANCES.search(ast.unparse(node.test)):
            node.test = InAsserts().visit(node.test)
        return self.generic_visit(node)

    def visit_For(self, node):
        numbers = node.iter
        if isinstance(node.target, ast.Name) and node.target.id == "ranks" and isinstance(numbers, ast.Tuple) and ast.unparse(numbers.elts[-1]) == "3":
            numbers.elts.append(ast.Constant(4))
        return self.generic_visit(node)


def changed(source, path):
    return compile(ast.fix_missing_locations(Statements().visit(ast.parse(source, path))), path, "exec")


class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        return changed(self.get_data(self.path), self.path)

    def exec_module(self, module):
        module.__dict__.update(_below=below, _above=above, _allclose=allclose)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path, target=None):
        found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if found and found.origin and found.origin.startswith(TESTS) and found.origin.endswith(".py"):
            found.loader = Loader(fullname, found.origin)
            return found
        return None


def main():
    sys.argv = sys.argv[1:]
    path = os.path.abspath(sys.argv[0])
    sys.path[0] = os.path.dirname(path)
    sys.meta_path.insert(0, Finder())
    with open(path, encoding="utf-8") as file:
        code = changed(file.read(), path)
    test = types.ModuleType("__main__")
    test.__dict__.update(__file__=path, _below=below, _above=above, _allclose=allclose)
    sys.modules["margins"], sys.modules["__main__"] = sys.modules["__main__"], test
    exec(code, test.__dict__)


if __name__ == "__main__":
    main()
