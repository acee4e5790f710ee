#!/bin/bash
# Runs the fuzzer's targets in turns: fuzz.sh FOLDER SECONDS [TARGET…]
# FOLDER/corpus keeps the interesting inputs, from which the next run begins; FOLDER/found keeps the failing ones.
set -euo pipefail
folder=$1 seconds=$2
shift 2
here=$(dirname "$0")
fixtures=$here/../FeedKitTests/Fixtures

# Target, longest input, and the folders or the list (one input a line) it starts from.
targets() {
  cat <<END
feed        16384 $fixtures/Feeds $fixtures/Fuzzed
jsonfeed    8192  $fixtures/JSONFeeds
opml        8192  $fixtures/Outlines
chapters    8192  $fixtures/Chapters
transcripts 8192  $fixtures/Transcripts
html        8192  $fixtures/Transcripts $here/Seeds/html
json        4096  $fixtures/Chapters $fixtures/Transcripts
dates       64    $here/Seeds/dates
durations   64    $here/Seeds/durations
addresses   512   $here/Seeds/addresses
commands    256   $here/Seeds/commands
filters     256   $here/Seeds/filters
words       256   $here/Seeds/words
config      1024  $here/Seeds/config
remote      4096  $here/Seeds/remote
libraries   8192  $here/Seeds/libraries
sync        4096  $here/Seeds/sync
END
}

# A list becomes a folder with a file for each of its lines.
seeds() {
  for seed in "$@"; do
    if [ -d "$seed" ]; then
      echo "$seed"
    else
      local copies=$folder/seeds/${seed##*/}
      mkdir -p "$copies"
      awk -v folder="$copies" '{ file = folder "/" NR; printf "%s", $0 > file; close(file) }' "$seed"
      echo "$copies"
    fi
  done
}

TMPDIR=$(mktemp -d)
# Swift's own crash report would disturb the sanitizer's.
export TMPDIR SWIFT_BACKTRACE=enable=no
trap 'rm -rf "$TMPDIR"' EXIT
mkdir -p "$folder/found"
status=0
for target in ${*:-$(targets | cut -d' ' -f1)}; do
  read -r _ length starts < <(targets | grep "^$target ") || { echo "fuzz: there is no target $target" >&2; exit 2; }
  mkdir -p "$folder/corpus/$target"
  log=$folder/$target.log
  # shellcheck disable=SC2046,SC2086 # several words are meant
  PODCLI_FUZZ_TARGET=$target nice -n 19 "$folder/release/podcli-fuzz" "$folder/corpus/$target" $(seeds $starts) \
    -max_total_time="$seconds" -max_len="$length" -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$folder/found/$target-" >"$log" 2>&1 || {
    status=1
    grep -E '^(==|SUMMARY|Fatal error|artifact_prefix|Test unit written)' "$log" | cut -c1-400 || tail -5 "$log"
  }
  grep -q 'inline 8-bit counters' "$log" || { echo "fuzz: built without coverage counters: make clean" >&2; exit 1; }
  awk -v target="$target" '
    /cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") coverage = $(i + 1) }
    /number_of_executed_units/ { runs = $2 }
    /Done [0-9]+ runs/ { runs = $2 }
    END { printf "%-12s %12d executions  %6d edges\n", target, runs, coverage }' "$log"
done
exit $status
