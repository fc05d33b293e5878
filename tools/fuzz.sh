#!/usr/bin/env bash
# Fuzzes each reader for a given number of inputs and prints the result. Needs nightly Rust, a C++
# compiler and `cargo install cargo-fuzz`; see fuzz/README.md.
# Usage: tools/fuzz.sh EXECUTIONS [TARGET ...]
# Environment: LONGEST=16384 (bytes of an input; else 4096), BUILD="--sanitizer address" (else
# "--sanitizer none --no-trace-compares -O": there is no unsafe code, the dictionaries know the words,
# and it is several times as fast).
set -euo pipefail
cd "$(dirname "$0")/.."
runs=$1
shift
[ $# -gt 0 ] || set -- $(cd fuzz/fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//')
build=${BUILD:---sanitizer none --no-trace-compares -O}
host=$(rustc -vV | sed -n 's/^host: //p')
cargo +nightly fuzz build $build
# Keep large buffers on the heap instead of returning them to the system after every input.
export MALLOC_MMAP_THRESHOLD_=67108864 MALLOC_TRIM_THRESHOLD_=67108864
printf '%-20s %10s %8s %8s %8s %8s %12s %9s\n' \
  target executions per_s edges features kept slowest_s peak_MB
for target in "$@"; do
  words=${target%_structured}
  # Absolute paths, since the targets are built in a separate folder.
  corpus=$PWD/fuzz/corpus/$target artifacts=$PWD/fuzz/artifacts/$target log=$artifacts.log
  mkdir -p "$corpus" "$artifacts"
  options=(-runs="$runs" -max_len="${LONGEST:-4096}" -timeout=1 -report_slow_units=1
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$artifacts/")
  [ "$words" != "$target" ] || options+=(-dict="$PWD/tests/fuzzed/$words.dict")
  if ! nice -n 19 "fuzz/target/$host/release/$target" "${options[@]}" "$corpus" \
    "$PWD/fuzz/seeds/$target" >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "$target failed; what it failed on is in $artifacts"
    exit 1
  fi
  last() { sed -n "s/^stat::$1: *//p" "$log"; }
  reached() { grep -o " $1: [0-9]*" "$log" | tail -n 1 | sed 's/.* //'; }
  printf '%-20s %10s %8s %8s %8s %8s %12s %9s\n' "$target" "$(last number_of_executed_units)" \
    "$(last average_exec_per_sec)" "$(reached cov)" "$(reached ft)" "$(ls "$corpus" | wc -l)" \
    "$(last slowest_unit_time_sec)" "$(last peak_rss_mb)"
done
