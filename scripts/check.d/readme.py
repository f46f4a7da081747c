"""A stranger finds two commands: the README's section "From source" has each alone on its line within the first 60 lines,
and `.ci/run` runs the tests by the second one."""
import re

from project import finding, finish, read

COMMANDS = ("./scripts/run", "./scripts/test")
FIRST_LINES = 60

lines = read("README.md").split("\n")
begin = next((number for number, line in enumerate(lines) if re.match(r"#+ From source$", line)), None)
if begin is None:
    finding("README.md", 1, 'has no section "From source"')
else:
    end = next((number for number in range(begin + 1, len(lines)) if re.match(r"#+ ", lines[number])), len(lines))
    for command in COMMANDS:
        places = [number for number in range(begin, end) if re.match(re.escape(command) + r"( +#.*)?$", lines[number])]
        if not places:
            finding("README.md", begin + 1, f'the section "From source" has no line "{command}"')
        elif places[0] >= FIRST_LINES:
            finding("README.md", places[0] + 1, f'"{command}" stands below line {FIRST_LINES}')
run = read(".ci/run")
if not re.search(r"^(?!\s*#).*bounded\b.* " + re.escape(COMMANDS[1]) + r"( |$)", run, re.M):
    finding(".ci/run", 1, f"does not run the README's command for tests, {COMMANDS[1]}")
finish()
