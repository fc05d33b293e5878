#!/usr/bin/env bash
# Runs scenarios with two programs and compares every result file but timing.json, byte by byte.
# Uses two replications of each. Usage: tools/same-bytes.sh PROGRAM PROGRAM [SCENARIO ...]
set -euo pipefail
cd "$(dirname "$0")/.."
one=$1 other=$2
shift 2
[ $# -gt 0 ] || set -- scenarios/*.toml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for scenario in "$@"; do
  # A run for precision determines its own number of replications.
  set -- --set run.replications=2
  if grep -q '^until\.precision' "$scenario"; then set --; fi
  "$one" run "$scenario" --quiet --out "$work/one" --force "$@"
  "$other" run "$scenario" --quiet --out "$work/other" --force "$@"
  diff -rq --exclude=timing.json --exclude=state "$work/one" "$work/other"
  printf 'the same: %s\n' "$scenario"
done
