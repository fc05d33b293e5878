#!/usr/bin/env bash
# Runs a sweep as an array of HyperQueue, one share a task; `hq server start` and workers must be up.
#
#     tools/sweep/hyperqueue.sh study.toml 200 results/study [options of hq submit]
set -euo pipefail
file=$(realpath "$1") shards=$2 out=$(realpath -m "$3")
shift 3
# A task whose worker is lost is started again, and its share goes on where it was.
hq submit --array "1-$shards" --cpus 1 --wait "$@" -- \
  bash -c 'exec gridpact sweep run "$1" --shard "$HQ_TASK_ID/$2" --threads 1 --out "$3" -q' \
  share "$file" "$shards" "$out"
exec gridpact sweep merge "$file" --out "$out"
