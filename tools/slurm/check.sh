#!/usr/bin/env bash
# Runs a sweep as a job array of a real Slurm of two nodes, and compares its results with those of the
# same sweep in one piece, byte by byte. Without Slurm it says that it skips that.
#
#     tools/slurm/check.sh target/release/gridpact
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
study=$here/../../scenarios/studies/load-and-scheduler.toml
folder=$(mktemp -d)
trap '"$here/cluster.sh" down "$folder/slurm" > /dev/null 2>&1 || true; rm -rf "$folder"' EXIT

code=0
"$here/cluster.sh" up "$folder/slurm" > "$folder/log" 2>&1 || code=$?
case $code in
  0) ;;
  77) echo "SKIPPED: Slurm is not installed (Debian: slurmctld, slurmd, slurm-client, munge)"; exit 0 ;;
  *) tail -n 5 "$folder/log"; echo "SKIPPED: Slurm is here and could not be started"; exit 0 ;;
esac
. "$folder/slurm/env"
out=$folder/array
"$program" sweep submit "$study" --engine slurm --shards 5 --out "$out"
for _ in $(seq 120); do
  [ -n "$(squeue --noheader 2> /dev/null || echo away)" ] || break
  sleep 0.5
done
missing=$("$program" sweep missing "$study" --shards 5 --out "$out")
[ -z "$missing" ] || { cat "$out"/shards/log/*.log; echo "shares are missing: $missing" >&2; exit 1; }
"$program" sweep merge "$study" --out "$out" --quiet 2> /dev/null
"$program" sweep "$study" --out "$folder/whole" --quiet 2> /dev/null
for file in "$folder"/whole/*; do
  name=$(basename "$file")
  [ ! -f "$file" ] || [ "$name" = timing.json ] || cmp "$file" "$out/$name"
done
echo "the results of five tasks on two nodes are those of one piece, byte by byte"
