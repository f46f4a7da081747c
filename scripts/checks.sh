# shellcheck shell=bash
# What scripts/conformance and scripts/package have in common: how a check waits, is counted, and says why it failed. A busy
# machine makes everything slow, so no check fails for its pace: the limit ends what hangs.

# Seconds. Python's checks (scripts/parts.d/waiting.py) have the same.
export LONGEST_WAIT=${LONGEST_WAIT:-900}
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/parts.d
export PYTHONPATH

passed=0 failed=0 skipped=0
# Names of what was skipped.
left_out=()

ok() { passed=$((passed + 1)) && printf 'ok       %s\n' "$*" >&2; }

# fail NAME [FILE]: the end of the file, which says why, follows.
fail() {
  failed=$((failed + 1))
  printf 'FAILED   %s\n' "$1" >&2
  [[ -z ${2:-} ]] || tail -n 15 "$2" | why
}

skip() { skipped=$((skipped + 1)) && left_out+=("$*") && printf 'skipped  %s\n' "$*" >&2; }

# Marks lines that say why the check above failed; the end of `.ci/run` has them too.
why() { sed 's/^/         | /' >&2; }

# try NAME COMMAND...: one check. What the command says is in $said, which the script names, and is shown when it fails.
# shellcheck disable=SC2154  # $said
try() {
  local name=$1
  shift
  if "$@" >"$said" 2>&1 </dev/null; then ok "$name"; else
    fail "$name" "$said"
    false
  fi
}

# limited COMMAND...: ends a program that hangs, and says so.
limited() {
  local code
  timeout -k 10 "$LONGEST_WAIT" "$@"
  code=$?
  ((code != 124 && code != 137)) || printf '%s\n' "It had not ended after $LONGEST_WAIT s, and was stopped: $*" >&2
  return "$code"
}

# wait_for WHAT PROCESSES COMMAND...: until the command succeeds. False, with a sentence, when one of the processes has ended
# (their numbers are separated by spaces; there may be none), or never comes to an end.
# Its names are of its own: the command sees them, and so does a trap.
wait_for() {
  local waited_what=$1 waited_on=$2 waited_one waited_end=$((SECONDS + LONGEST_WAIT))
  shift 2
  until "$@"; do
    for waited_one in $waited_on; do
      kill -0 "$waited_one" 2>/dev/null && continue
      # The last look was before its end.
      "$@" && return
      printf '%s\n' "No $waited_what: its program has ended." >&2
      return 1
    done
    if ((SECONDS > waited_end)); then
      printf '%s\n' "No $waited_what after $LONGEST_WAIT s." >&2
      return 1
    fi
    sleep 0.1
  done
}
