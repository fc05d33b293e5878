#!/usr/bin/env bash
# Runs scenarios with two programs and compares every result file but timing.json, byte by byte.
# Two replications of each have to do. Usage: tools/same-bytes.sh PROGRAM PROGRAM [SCENARIO ...]
set -euo pipefail
cd "$(dirname "$0")/.."
one=$1 other=$2
shift 2
[ $# -gt 0 ] || set -- scenarios/*.toml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for scenario in "$@"; do
  "$one" run "$scenario" --quiet --out "$work/one" --force --set run.replications=2
  "$other" run "$scenario" --quiet --out "$work/other" --force --set run.replications=2
  diff -rq --exclude=timing.json "$work/one" "$work/other"
  printf 'the same: %s\n' "$scenario"
done
