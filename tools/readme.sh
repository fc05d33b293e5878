#!/usr/bin/env bash
# Runs every `sh` block of README.md, as a reader would.
set -euo pipefail
cd "$(dirname "$0")/.."
commands=$(sed -n '/^```sh$/,/^```$/p' README.md | grep -v '^```')
[ -n "$commands" ] || { echo "README.md has no commands" >&2; exit 1; }
# Tools installed by the reader are found; the file that the commands write is removed.
export PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
trap 'rm -f my.toml' EXIT
# Results of an earlier call would hide that no command writes them any more.
grep -o 'results/[a-z0-9][a-z0-9-]*' README.md "$0" | cut -d: -f2 | sort -u | xargs rm -rf
while IFS= read -r command; do
  printf '$ %s\n' "$command"
  bash -c "$command" </dev/null
done <<<"$commands"
# The pictures that README.md shows are those that its commands draw.
cmp results/an-overloaded-organization-and-the-ratio-rule/learning.svg docs/pictures/learning.svg
cmp results/compare-kth-sp2-first-come-first-served/distribution.svg docs/pictures/kth-sp2-waits.svg
