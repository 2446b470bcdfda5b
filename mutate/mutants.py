"""The faults that can be put into a Python file: each is one place in its text, and what to put there instead.

A comparison, an operation, a constant or a condition is changed, a statement, a returned value or a piece of a text is
left out. (DeMillo, Lipton and Sayward 1978: tests that tell a program from its near neighbours find real faults too.)
"""

import ast
import io
import random
import re
import tokenize
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
OPERATIONS = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
}  # fmt: skip
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
TWINS |= {"minimum": "maximum", "maximum": "minimum", "argmin": "argmax", "argmax": "argmin"}


@dataclass(frozen=True)
class Mutant:
    """One fault: `before`, from `start` to `end` of the file's text, becomes `after`."""

    file: str  # from the package's folder
    function: str  # its qualified name; empty at the top of a module
    line: int
    lines: tuple[int, int]  # of the statement it is in: tests that run one of them may notice
    start: int
    end: int
    before: str
    after: str
    text: str  # the whole line, stripped

    @property
    def folder(self) -> str:
        """What it is counted with."""
        return self.file.rpartition("/")[0] or "(top level)"

    def applied(self, source: str) -> str:
        """The file with the fault in it."""
        return source[: self.start] + self.after + source[self.end :]

    def parses(self, source: str) -> bool:
        """Whether it is a program still."""
        try:
            ast.parse(self.applied(source))
        except SyntaxError:
            return False
        return True


def mutants(file: str, source: str) -> list[Mutant]:
    """All faults for one file, in the order of the text."""
    return sorted(set(_Walk(file, source).found), key=lambda one: (one.start, one.end, one.after))


class _Walk:
    """One pass over the syntax tree. Annotations, docstrings and what only type checkers see are left alone."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source
        self.rows = source.splitlines()
        # Positions of the syntax tree count bytes, those of the tokens characters.
        self.bytes = [line.encode() for line in source.splitlines(keepends=True)]
        self.begins = [0]
        for line in source.splitlines(keepends=True):
            self.begins.append(self.begins[-1] + len(line))
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        self.strings = [token for token in tokens if token.type == tokenize.STRING]
        self.found: list[Mutant] = []
        self.scope: list[str] = []
        self.lines = (0, 0)
        self.visit(ast.parse(source))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        held = self.lines
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body and body[0].lineno > node.lineno else node.end_lineno
            self.lines = (node.lineno, max(node.lineno, last or 0))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):  # a default: whoever runs the function
            self.lines = (node.body[0].lineno, node.end_lineno or 0)
        self.faults(node)
        named = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "type_comment"):
                continue
            inner = named and field == "body"
            if inner:
                self.scope.append(node.name)  # type: ignore[attr-defined]
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _only_text(child):
                    self.visit(child)
            if inner:
                self.scope.pop()
        self.lines = held

    def faults(self, node: ast.AST) -> None:
        match node:
            case ast.Compare():
                sides = [node.left, *node.comparators]
                for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
                    self.between(left, right, COMPARISONS[type(op)])
            case ast.BinOp() if type(op := node.op) in OPERATIONS and not _texts(node):
                self.between(node.left, node.right, OPERATIONS[type(op)])
            case ast.AugAssign() if type(node.op) in OPERATIONS:
                self.put(node, "pass")
                if type(node.op) not in (ast.Add, ast.BitOr):  # those of lists and sets have no opposite
                    self.between(node.target, node.value, OPERATIONS[type(node.op)] + "=")
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:], strict=False):
                    self.between(left, right, "or" if isinstance(node.op, ast.And) else "and")
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                self.put(node, self.said(node.operand))
            case ast.If() | ast.IfExp() | ast.While():
                self.put(node.test, f"(not ({self.said(node.test)}))")
            case ast.comprehension():
                for test in node.ifs:
                    self.put(test, f"(not ({self.said(test)}))")
            case ast.Constant(value=bool()):
                self.put(node, str(not node.value))
            case ast.Constant(value=int() | float()):
                self.put(node, f"({self.said(node)} + 1)")
                self.put(node, f"({self.said(node)} - 1)")
            case ast.Return(value=ast.expr()) if not _nothing(node.value):
                self.put(node, "return None")
            case ast.Expr() if not _only_text(node) and not isinstance(node.value, ast.Yield | ast.YieldFrom):
                self.put(node, "pass")
            case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
                self.put(node, "pass" if self.scope else "")
            case ast.Raise() | ast.Continue() | ast.Break():
                self.put(node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                self.put(node, "pass")
            case ast.Call(func=ast.Name() | ast.Attribute()):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in TWINS:
                    end = self.place(node.func.end_lineno or 0, node.func.end_col_offset or 0)
                    self.add(end - len(name), end, TWINS[name])
            case ast.JoinedStr() | ast.Constant(value=str()):
                self.pieces(node)

    def pieces(self, node: ast.expr) -> None:
        """Each piece of a text, as it is written, left out."""
        first, last = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        for token in self.strings:
            begin, end = (self.spot(*at) for at in (token.start, token.end))
            if first <= begin and end <= last and len(token.string.strip("rbfRBF\"'")) > 0:
                quote = re.sub(r"(?s)^(\w*).*", r"\1", token.string)
                start = self.begins[token.start[0] - 1] + token.start[1]
                self.add(start, start + len(token.string), f"{quote}''")

    def spot(self, line: int, column: int) -> tuple[int, int]:
        """A place of the tokens as the syntax tree counts."""
        return line, len(self.rows[line - 1][:column].encode())

    def place(self, line: int, column: int) -> int:
        return self.begins[line - 1] + len(self.bytes[line - 1][:column].decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        return self.place(node.lineno, node.col_offset), self.place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def said(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def put(self, node: ast.AST, after: str) -> None:
        self.add(*self.span(node), after)

    def between(self, left: ast.AST, right: ast.AST, after: str) -> None:
        """Replace the operator between two operands; brackets and comments around it stay."""
        start, end = self.span(left)[1], self.span(right)[0]
        found = re.search(
            r"[^\s()#\\]+(\s+(in|not)\b)?", re.sub(r"#.*", lambda m: " " * len(m[0]), self.source[start:end])
        )
        if found:
            self.add(start + found.start(), start + found.end(), after)

    def add(self, start: int, end: int, after: str) -> None:
        line = bisect(self.begins, start)
        before, text = self.source[start:end], self.rows[line - 1].strip()
        scope = ".".join(self.scope)
        self.found.append(Mutant(self.file, scope, line, self.lines, start, end, before, after, text))


def _only_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _nothing(node: ast.AST | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _texts(node: ast.BinOp) -> bool:
    """Whether an operand is plainly no number: the opposite of joining would only be an error."""
    kinds = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
    sides = (node.left, node.right)
    return any(isinstance(x, kinds) or (isinstance(x, ast.Constant) and isinstance(x.value, str)) for x in sides)


def drawn(found: Sequence[Mutant], seed: int) -> Iterator[Mutant]:
    """In random order, one a line: a line first and then one of its faults, or long texts would crowd out the rest."""
    chance = random.Random(seed)
    lines: dict[tuple[str, int], list[Mutant]] = {}
    for one in found:
        lines.setdefault((one.file, one.line), []).append(one)
    for key in chance.sample(sorted(lines), len(lines)):
        yield chance.choice(lines[key])
