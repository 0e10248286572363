#!/usr/bin/env bash
#
# Takes a synthetic trace of ten million requests all the way with a heap of 1 GB: made, looked at, converted, put out of
# order, cut into shards, checked, sorted, and replayed. Prints a Markdown table of processor time, wall time, the most that
# the heap held and the peak resident memory (mapped temporary files included, as far as they were in memory) of each step.
#
#   sim-bench/ten-million.sh [-n REQUESTS] [-d FOLDER] [-s STEPS]
#
#   -n  requests (default 10000000)
#   -d  folder for traces and temporary files; ten million requests need 25 GB there (default: a new one, removed at the end)
#   -s  steps, by commas (default: all, in the order in which each finds what those before it have written):
#       synthesize,head,stats,sample,convert,check,shuffle,shards,validate,sort,sort-shards,run
#
# ORRERY is the command that is measured, ./orrery unless it is set.
#
# Needs GNU time.

set -eu

here=$(CDPATH='' cd -P -- "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requests=10000000
folder=''
steps='synthesize,head,stats,sample,convert,check,shuffle,shards,validate,sort,sort-shards,run'
ORRERY=${ORRERY:-./orrery}

usage() {
  sed -n '3,16s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit "$1"
}

[ "${1:-}" != --help ] || usage 0
while getopts n:d:s:h option; do
  case $option in
    n) requests=$OPTARG ;;
    d) folder=$(CDPATH='' cd -P -- "$OPTARG" && pwd) ;;
    s) steps=$OPTARG ;;
    h) usage 0 ;;
    *) usage 2 >&2 ;;
  esac
done

if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
cd "$here/.."

readonly BLOCK=256
readonly HEAP='-Xmx1g -XX:+UseSerialGC'

wanted() { # step
  case ,$steps, in
    *,"$1",*) return 0 ;;
    *) return 1 ;;
  esac
}

# Runs an orrery command and prints its row. What it says goes to stderr.
step() { # label, arguments of orrery
  local label=$1 figures
  shift
  rm -f "$folder/gc.log"
  ORRERY_JAVA_OPTS="$HEAP -Dorrery.columns.folder=$folder -Xlog:gc:file=$folder/gc.log" \
    /usr/bin/time -o "$folder/time.log" -f '%U %e %M' "$ORRERY" "$@" >"$folder/$label.out" 2>"$folder/$label.err" || {
    cat "$folder/$label.err" >&2
    exit 1
  }
  figures=$(tail -n 1 "$folder/time.log")
  # The heap is fullest right before a collection: "222M->123M(365M)".
  heap=$(sed -n 's/.* \([0-9]*\)M->[0-9]*M(.*/\1/p' "$folder/gc.log" | sort -n | tail -n 1)
  printf '%s %s\n' "$figures" "${heap:-0}" |
    awk -v label="$label" '{ printf "| %s | %.0f s | %.0f s | %d MB | %d MB |\n", label, $1, $2, $4, $3 / 1024 }'
}

# Sessions in another order, the turns of each as they were: by a linear congruence of their numbers.
shuffle() {
  awk '{
    n = NR
    if (match($0, /"session_id":"session-[0-9]+/)) n = substr($0, RSTART + 22, RLENGTH - 22)
    printf "%d\t%s\n", (n % 2147483646 + 1) * 48271 % 2147483647, $0
  }' "$folder/big.jsonl" | LC_ALL=C sort -s -n -k1,1 -S 512M -T "$folder" | cut -f 2- >"$folder/shuffled.jsonl"
}

# Four files of equal length, as a sink that writes shards leaves them.
shards() {
  split -n l/4 --additional-suffix=.jsonl "$folder/shuffled.jsonl" "$folder/shard-"
  gzip -1 -f "$folder"/shard-*.jsonl
}

"$ORRERY" --version >/dev/null # builds what is to be built
printf '| %s requests | user | wall | peak heap | peak memory |\n|---|--:|--:|--:|--:|\n' "$requests"
if wanted synthesize; then
  step synthesize trace synthesize --profile chat --requests "$requests" --rate 4 -o "$folder/big.parquet"
fi
if wanted head; then
  step head trace head "$folder/big.parquet"
fi
if wanted stats; then
  step stats trace stats "$folder/big.parquet"
fi
if wanted sample; then
  step sample trace sample "$folder/big.parquet" --share 0.1 -o "$folder/sample.parquet"
fi
if wanted convert; then
  step convert trace convert "$folder/big.parquet" --to mooncake --unchecked -o "$folder/big.jsonl"
fi
if wanted check; then
  step check trace convert "$folder/big.parquet" --to mooncake -o "$folder/big.jsonl"
fi
if wanted shuffle; then
  shuffle
fi
if wanted shards; then
  shards
fi
if wanted validate; then
  step validate trace validate "$folder/shuffled.jsonl" --block-size $BLOCK
fi
if wanted sort; then
  step sort trace convert "$folder/shuffled.jsonl" --block-size $BLOCK --unchecked -o "$folder/sorted.parquet"
fi
if wanted sort-shards; then
  step sort-shards trace convert "$folder"/shard-*.jsonl.gz --block-size $BLOCK --unchecked -o "$folder/sorted.parquet"
fi
if wanted run; then
  step run run -q --trace "$folder/sorted.parquet" --set engine.blockSize=$BLOCK --set 'cluster.pools[0].workers=16' --json
fi
