#!/usr/bin/env bash
# Runs scenarios with 20 replications on 1, 2 and 8 threads and compares every result file but
# timing.json, byte by byte; THREADS and REPLICATIONS name others.
# Usage: tools/same-threads.sh PROGRAM [SCENARIO ...]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
shift
[ $# -gt 0 ] || set -- src/cli/new/{queue,sharing,coalition}.toml scenarios/applications-{online,storage}.toml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
same() { # scenario, what else is set
  for threads in ${THREADS:-1 2 8}; do
    "$program" run "$1" --quiet --force --threads "$threads" --out "$work/$threads" \
      --set run.replications="${REPLICATIONS:-20}" "${@:2}"
    diff -rq --exclude=timing.json --exclude=state "$work/1" "$work/$threads"
  done
  printf 'the same: %s\n' "$*"
}
for scenario in "$@"; do
  if grep -q '^\[coalition\]' "$scenario"; then
    same "$scenario" --set output.moves=true --set output.jobs=true
  elif grep -q '^task_planner' "$scenario"; then
    same "$scenario"
  else
    for warm_up in '{ fixed = 100.0 }' '{ mser_5 = {} }'; do
      same "$scenario" --set "output.warm_up=$warm_up"
    done
  fi
done
