#!/usr/bin/env bash
# Runs a few scenarios and opens their CSV files with pandas, DuckDB, evalys and R, each with its
# defaults. Needs Python 3.11 or later with venv and, the first time, a package index; R is tried
# where there is `Rscript`.
# Usage: tools/csv-readers/run.sh GRIDPACT
# VENV=folder names an environment that has the packages of requirements.txt already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gridpact=$(realpath "$1")
cd "$here/../.."

venv=${VENV:-target/csv-readers}
if [ -z "${VENV:-}" ] && ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
    -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/installed.txt"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Two replications of a grid of three clusters; the copy is not in the folder of its traces.
sed -e '1,/^name = /s|^name = .*|&\nrun.replications = 2|' -e "s|\"traces/|\"$PWD/scenarios/traces/|" \
  scenarios/three-organizations-sharing.toml >"$work/three-organizations-sharing-twice.toml"
folders=()
for scenario in "$here/odd.toml" scenarios/ten-jobs.toml scenarios/kth-sp2-easy.toml \
  "$work/three-organizations-sharing-twice.toml"; do
  folder=$work/$(basename "$scenario" .toml)
  "$gridpact" run "$scenario" --quiet --out "$folder"
  folders+=("$folder")
done

# One of them again, packed, and rotated every 5000 lines.
forms=("$work/kth-sp2-easy" "$work/packed" "$work/rotated")
"$gridpact" run scenarios/kth-sp2-easy.toml --quiet --out "${forms[1]}" --set output.compress=true
"$gridpact" run scenarios/kth-sp2-easy.toml --quiet --out "${forms[2]}" --set output.compress=true \
  --set output.rotate=5000

"$venv/bin/python" "$here/check.py" "$gridpact" "${folders[@]}"
"$venv/bin/python" "$here/packed.py" "${forms[@]}"
if command -v Rscript >/dev/null; then
  Rscript --vanilla "$here/check.R" "${folders[@]}"
  Rscript --vanilla "$here/packed.R" "${forms[@]}"
else
  echo "SKIPPED: R is not installed (Debian: apt-get install --no-install-recommends r-base-core)"
fi
