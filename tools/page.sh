#!/usr/bin/env bash
# The page of a run: bundles its script, and opens pages of every kind in a browser.
# Needs Node and npm; the tests want Chromium, and say so if there is none.
#
#   tools/page.sh --write    bundles src/report/page/*.ts into the files that the program holds
#   tools/page.sh            compares the bundle with these, makes pages and tests them
#   SHOTS=folder tools/page.sh    keeps screenshots and prints
set -euo pipefail
cd "$(dirname "$0")/.."
source=src/report/page
work=target/page
mkdir -p "$work"
cp "$source"/*.ts "$source"/page.css "$source"/*.json "$source"/.npmrc "$work"
(cd "$work" && npm ci --silent --no-audit --no-fund && npm run --silent check && npm run --silent bundle) >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
if [ "${1:-}" = --write ]; then
  cp "$work/bundle.js" "$work/bundle.css" "$source"
  exit
fi
for file in bundle.js bundle.css; do
  cmp "$work/$file" "$source/$file" || { echo "$source/$file is stale: run tools/page.sh --write" >&2; exit 1; }
done

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
  echo "skipped: pages are not opened, as there is no Chromium"
  exit
fi
gridpact=${GRIDPACT:-target/installed/bin/gridpact}
runs=$work/runs
rm -rf "$runs" "$work/pages"
mkdir -p "$runs" "$work/pages"
"$gridpact" run scenarios/three-schedulers.toml --set run.replications=1 --out "$runs/trace" -q
"$gridpact" compare scenarios/three-organizations.toml --vary scheduler=easy,fcfs --replications 20 --out "$runs/comparison" -q
"$gridpact" sweep scenarios/studies/load-and-scheduler.toml --replications 3 --out "$runs/sweep" -q
"$gridpact" run scenarios/selfish-lb-figure-3b.toml --set run.replications=2 --set run.until.rounds=100 --out "$runs/coalition" -q
"$gridpact" run scenarios/federation.toml --set run.replications=2 --set run.until.rounds=20 --out "$runs/federation" -q
"$gridpact" game scenarios/games/hawk-dove.toml --replications 20 --out "$runs/game" -q
"$gridpact" run scenarios/plans.toml --set run.replications=10 --out "$runs/plan" -q
"$gridpact" run scenarios/applications.toml --out "$runs/campaign" -q
"$(dirname "$gridpact")/gridpact-studies" reproduce sequential-games --figure 8 --quick --output "$runs/study" >/dev/null
mv "$runs/study/sequential-games.html" "$runs/study/report.html"
for run in "$runs"/*; do
  cp "$run/report.html" "$work/pages/$(basename "$run").html"
done
PAGES=$PWD/$work/pages MODULES=$PWD/$work CHROMIUM=$chromium SHOTS=${SHOTS:-} node --test tests/page/
