#!/usr/bin/env bash
#
# Measures sweeps and plans as whole processes: a sweep of 200 points over a recorded trace on one thread and on two, and the
# plan of the quickstart on two, as a Markdown table on stdout, with the speed-up of the second thread.
#
#   sim-bench/sweeps.sh -d DATA [-n REPETITIONS]
#
#   -d  the folder of recorded traces (traces/mooncake/conversation_trace.jsonl below it)
#   -n  measured repetitions, in turn: one thread, two threads, plan (default 1)
#
# The wall time says something on a quiet machine only; user is the processor time, of all threads together, and holds on a
# busy one, too. ORRERY names another command than ./orrery.

set -eu

here=$(CDPATH='' cd -P -- "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repetitions=1
data=''

usage() {
  sed -n '3,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit "$1"
}

[ "${1:-}" != --help ] || usage 0
while getopts n:d:h option; do
  case $option in
    n) repetitions=$OPTARG ;;
    d) data=$(CDPATH='' cd -P -- "$OPTARG" && pwd) ;;
    h) usage 0 ;;
    *) usage 2 >&2 ;;
  esac
done
[ -n "$data" ] || usage 2 >&2
cd "$here/.."
orrery=${ORRERY:-./orrery}
trace=$data/traces/mooncake/conversation_trace.jsonl

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs a command -> WALL and USER_TIME, in seconds.
measure() {
  local TIMEFORMAT='%R %U'
  { time "$orrery" "$@" >"$scratch/stdout" 2>"$scratch/stderr"; } 2>"$scratch/time" || {
    cat "$scratch/stderr" >&2
    return 1
  }
  read -r WALL USER_TIME <"$scratch/time"
}

row() { # label, threads
  printf '| %s | %s | %s | %s |\n' "$1" "$2" "$WALL" "$USER_TIME"
}

"$orrery" --version >&2
printf '%s cores, load %s; commit %s\n\n' "$(getconf _NPROCESSORS_ONLN)" "$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || printf unknown)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)"
printf '| | threads | wall, s | user, s |\n|---|--:|--:|--:|\n'
one=0
two=0
for ((i = 0; i < repetitions; i++)); do
  measure sweep sim-bench/sweep-200.yaml --trace "$trace" --threads 1 -q
  row '200 points over the conversation trace' 1
  one=$(awk "BEGIN { print $one + $WALL }")
  cp "$scratch/stdout" "$scratch/one"
  measure sweep sim-bench/sweep-200.yaml --trace "$trace" --threads 2 -q
  row '200 points over the conversation trace' 2
  two=$(awk "BEGIN { print $two + $WALL }")
  cmp "$scratch/one" "$scratch/stdout"
  measure plan scenarios/quickstart.yaml --threads 2 -q
  row 'plan of the quickstart' 2
done
awk "BEGIN { printf \"\\nspeed-up of two threads: %.2f\\n\", $one / $two }"
