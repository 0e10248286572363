#!/usr/bin/env bash
#
# Measures whole processes: the wall time and the peak resident memory of orrery commands, launcher and virtual machine
# included, as a Markdown table on stdout.
#
#   sim-bench/whole-process.sh [-n REPETITIONS] [-d DATA] [CASES]
#
#   -n  measured repetitions of each case, after one that is not counted (default 5)
#   -d  the folder that {data} stands for in a case; cases that name it are left out without it
#   CASES  a file of cases, one a line: "label | arguments of orrery" (default: whole-process.cases beside this script).
#       Blank lines and those that start with # are passed over. Arguments are split at spaces. Each case runs in the
#       root folder of the repository; what it prints is thrown away.
#
# Peak memory comes from GNU time where it is installed, else from /proc (sampled, Linux), else it is left out.

set -eu

here=$(CDPATH='' cd -P -- "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repetitions=5
data=''

usage() {
  sed -n '3,15s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
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
shift $((OPTIND - 1))
cases=${1:-$here/whole-process.cases}
[ -r "$cases" ] || {
  printf '%s: no such file of cases\n' "$cases" >&2
  exit 2
}
cases=$(CDPATH='' cd -P -- "$(dirname "$cases")" && pwd)/$(basename "$cases")
cd "$here/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

has_gnu_time() {
  [ -x /usr/bin/time ] && /usr/bin/time -f '%M' true
}

memory='none'
[ ! -r /proc/self/status ] || memory='proc'
! has_gnu_time >/dev/null 2>&1 || memory='time'

# Runs a command -> MILLIS (wall) and KIB (peak resident; empty where unknown); its exit code.
measure() {
  local begin status=0 process peak
  KIB=''
  now
  begin=$NOW
  case $memory in
    time) /usr/bin/time -q -o "$scratch/kib" -f '%M' "$@" >/dev/null 2>"$scratch/stderr" || status=$? ;;
    proc)
      "$@" >/dev/null 2>"$scratch/stderr" &
      process=$!
      while peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$process/status 2>/dev/null); do
        [ -n "$peak" ] || break
        KIB=$peak
        sleep 0.02
      done
      wait $process || status=$?
      ;;
    none) "$@" >/dev/null 2>"$scratch/stderr" || status=$? ;;
  esac
  now
  MILLIS=$(((NOW - begin + 500) / 1000))
  [ $memory != time ] || KIB=$(tail -n 1 "$scratch/kib")
  return $status
}

# Microseconds since some origin -> NOW. (Bash before version 5 cannot say; whole seconds are the last resort.)
now() {
  if [ -n "${EPOCHREALTIME:-}" ]; then
    NOW=${EPOCHREALTIME/[.,]/}
  else
    NOW=$(perl -MTime::HiRes=time -e 'printf "%d\n", time * 1e6' 2>/dev/null || printf '%s000000\n' "$(date +%s)")
  fi
}

trim() {
  local text=$1
  text=${text#"${text%%[![:space:]]*}"}
  printf '%s' "${text%"${text##*[![:space:]]}"}"
}

seconds() { # milliseconds
  printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
}

run_case() { # label, arguments
  local label=$1 arguments millis='' peak='' i sorted
  read -r -a arguments <<<"$2"
  for ((i = 0; i <= repetitions; i++)); do
    [ ! -t 2 ] || printf '\r%s: %d of %d ' "$label" "$i" "$repetitions" >&2
    measure ./orrery "${arguments[@]}" || {
      printf '%s failed:\n' "$label" >&2
      cat "$scratch/stderr" >&2
      return 1
    }
    [ "$i" -gt 0 ] || continue
    millis="$millis$MILLIS "
    if [ -n "$KIB" ] && [ "$KIB" -gt "${peak:-0}" ]; then peak=$KIB; fi
  done
  [ ! -t 2 ] || printf '\n' >&2
  read -r -a sorted <<<"$(tr ' ' '\n' <<<"${millis% }" | sort -n | tr '\n' ' ')"
  printf '| %s | %s | %s | %s | %s |\n' "$label" "$(seconds "${sorted[0]}")" \
    "$(seconds "${sorted[$((repetitions / 2))]}")" "$(seconds "${sorted[$((repetitions - 1))]}")" \
    "${peak:+$(((peak + 512) / 1024))}"
}

# Build, and make the class data archive, before anything is measured.
ORRERY_ARCHIVE=now ./orrery --version >&2

printf '%s, %s cores; %s; commit %s; %d repetitions\n\n' \
  "$(sed -n '/^model name/{s/^[^:]*: //p;q;}' /proc/cpuinfo 2>/dev/null || uname -m)" "$(getconf _NPROCESSORS_ONLN)" \
  "$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | sed -n 2p)" \
  "$(git rev-parse --short HEAD 2>/dev/null || printf unknown)" "$repetitions"
printf '| case | best, s | median, s | worst, s | peak memory, MiB |\n|---|--:|--:|--:|--:|\n'
failed=0
while IFS= read -r line <&3; do
  line=$(trim "$line")
  case $line in
    '' | '#'*) continue ;;
  esac
  label=$(trim "${line%%|*}")
  command=$(trim "${line#*|}")
  case $command in
    *'{data}'*)
      if [ -z "$data" ]; then
        printf '%s: left out, it needs -d DATA\n' "$label" >&2
        continue
      fi
      command=${command//'{data}'/$data}
      ;;
  esac
  run_case "$label" "$command" || failed=1
done 3<"$cases"
exit $failed
