"""Reports a Python file that does not parse: parses.py FILE."""
import ast
import sys

path = sys.argv[1]
try:
    with open(path, encoding="utf-8") as file:
        ast.parse(file.read(), path)
except SyntaxError as error:
    print(f"{path}:{error.lineno}: {error.msg}")
    sys.exit(1)
