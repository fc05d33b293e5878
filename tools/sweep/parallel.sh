#!/usr/bin/env bash
# Runs a sweep with GNU parallel, one share a core, on this machine or on those of PARALLEL's --sshlogin.
#
#     tools/sweep/parallel.sh study.toml 16 results/study [options of parallel]
set -euo pipefail
file=$1 shards=$2 out=$3
shift 3
# A share that was interrupted ends with 75 and goes on in the next attempt.
parallel --retries 3 "$@" gridpact sweep run "$file" --shard "{}/$shards" --threads 1 --out "$out" -q \
  ::: $(seq "$shards")
exec gridpact sweep merge "$file" --out "$out"
