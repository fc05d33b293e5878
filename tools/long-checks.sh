#!/usr/bin/env bash
# Checks that take too long for every change, or need more than .ci/run has: one step each. A step
# that cannot be done here says so.
#
#   tools/long-checks.sh             all steps
#   tools/long-checks.sh coverage    one of them
set -euo pipefail
cd "$(dirname "$0")/.."

# Coverage of confidence intervals: the tables of docs/book/src/background/coverage.md.
# GRIDPACT_WORK bounds the jobs of a cell, by fewer seeds (never fewer than 100).
coverage() {
  GRIDPACT_SEEDS="${GRIDPACT_SEEDS:-2000}" GRIDPACT_WORK="${GRIDPACT_WORK:-1e9}" \
    cargo test --locked --release --test engine coverage::printed -- --nocapture
}

# The same for comparisons: false verdicts of equal grids, coalitions and games with up to 700 judged
# differences, and the differences of queues and of weeks. GRIDPACT_CELLS measures some: "games of 38".
comparisons() {
  GRIDPACT_TRIALS="${GRIDPACT_TRIALS:-1000}" \
    cargo test --locked --release --test engine comparisons:: -- --nocapture
}

# The same for runs that end by `until.precision`.
precision() {
  GRIDPACT_SEEDS=500 cargo test --locked --release --test engine precision:: -- --nocapture
}

# Random grids, ten times as many as in each test, and a hundred thousand organizations.
random() {
  GRIDPACT_CASES=1 cargo test --locked --release --test program -- very_many_organizations
  GRIDPACT_CASES="${GRIDPACT_CASES:-10}" \
    cargo test --locked --release --test engine -- conformance:: audited:: reasons:: campaign::
}

# Queues against theory with intervals half as wide, and the error rates of the test for growth.
theory() {
  GRIDPACT_ONE_IN=1 GRIDPACT_SEEDS=1000 \
    cargo test --locked --release --test engine -- --nocapture queues:: overload::
  GRIDPACT_ROUNDS=4000 cargo test --locked --release --test coalitions -- --nocapture mean_field::
}

# What fuzzing kept, with scenarios read by serde's own reader too.
readers() {
  RUSTFLAGS="--cfg fuzzing" cargo test --locked --profile quick --target-dir target/readers --test fuzzed
}

# Advisories, licences and sources, by cargo-deny.
deny() {
  if ! cargo deny --version >/dev/null 2>&1; then
    echo "SKIPPED: cargo-deny is not installed: cargo install --locked cargo-deny"
  elif ! cargo deny --locked fetch db; then
    echo "NOT CHECKED for advisories: the database (github.com/rustsec/advisory-db) cannot be fetched here"
    cargo deny --locked check bans licenses sources
  else
    cargo deny --locked check
  fi
}

# Equal bytes of all results, debug and release. (.ci/run compares a release's with the digests of
# tests/golden.)
bytes() {
  cargo build --locked
  cargo build --locked --release
  tools/same-bytes.sh target/debug/gridpact target/release/gridpact
  tools/same-threads.sh target/release/gridpact
}

# Kills, signals, faults, power cuts and damage, each at every place; then kills for half an hour.
soak() {
  cargo build --locked --release
  GRIDPACT_ONE_IN=1 cargo test --locked --release --test program survival::
  tools/soak.py --minutes "${SOAK_MINUTES:-30}"
}

# Faults in every file of every world's results: each is seen by the audit, or its place is named.
faults() {
  GRIDPACT_FAULTS="${GRIDPACT_FAULTS:-200}" \
    cargo test --locked --release --test program planted_faults_are_seen -- --nocapture
}

# Damaged files for every reader, each in a process with 512 MB and 10 seconds.
hostile() {
  cargo build --locked --release
  tools/hostile.py --inputs "${HOSTILE_INPUTS:-20000}"
}

# The tests in a folder whose path has spaces, beside four busy loops: all of them under all settings of
# signals, permissions, files, terminal, time, language and home at once, then those that start the program
# under each setting apart, SETTINGS_TIMES times.
settings() {
  export CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
  local settings=("trap '' INT HUP PIPE" "umask 077" "umask 000" "ulimit -n 256" "export TERM=xterm-256color"
    "export COLUMNS=40" "export NO_COLOR=1" "export CLICOLOR_FORCE=1" "export TZ=Asia/Kathmandu"
    "export LC_ALL=tr_TR.UTF-8 LANG=de_DE.ISO-8859-1" "export HOME=/nonexistent" "export GRIDPACT_LOG=debug")
  local tests="cargo test -q --locked --release" folder setting all=":" loops=() failed=()
  folder="$(mktemp -d)/a folder with spaces"
  git clone -q . "$folder"
  cd "$folder"
  $tests --no-run
  for _ in 1 2 3 4; do
    (while :; do :; done) &
    loops+=($!)
  done
  for setting in "${settings[@]}"; do
    [ "$setting" = "umask 000" ] || all="$all; $setting"
  done
  echo "-- all at once ($SECONDS s)"
  bash -c "$all; exec $tests" || failed+=("$all")
  for _ in $(seq "${SETTINGS_TIMES:-1}"); do
    for setting in "${settings[@]}"; do
      echo "-- $setting ($SECONDS s)"
      bash -c "$setting; exec $tests --test program -- cli:: survival::" || failed+=("$setting")
    done
  done
  kill "${loops[@]}"
  cd - >/dev/null
  rm -rf "$(dirname "$folder")"
  [ "${#failed[@]}" = 0 ] || { printf 'failed under: %s\n' "${failed[@]}"; return 1; }
}

# The papers in full, and the contest of learners.
studies() {
  cargo build --locked --release -p gridpact -p gridpact-studies
  target/release/gridpact reproduce selfish-lb
  target/release/gridpact reproduce online-grids
  target/release/gridpact reproduce mosp
  target/release/gridpact reproduce dedicated-grids
  target/release/gridpact reproduce sequential-games
  target/release/gridpact study contest
}

# Planners against tables and proofs, on 100 000 random problems.
plans() {
  GRIDPACT_ROUNDS="${GRIDPACT_ROUNDS:-100000}" cargo test --locked --release -p gridpact-policy plan::
}

# Grid schedulers against the literal lists, and optima against enumeration and an integer program.
online() {
  GRIDPACT_ROUNDS="${GRIDPACT_ROUNDS:-20000}" cargo test --locked --release --test engine online::
  cargo test --locked --release -p gridpact-bounds -- --include-ignored
}

# What holds in any federation, on random ones. (soak kills runs of federations.)
federations() {
  GRIDPACT_ROUNDS="${GRIDPACT_ROUNDS:-20000}" cargo test --locked --release -p gridpact-sim federation::
}

# A sweep as a job array of a real Slurm of two nodes, whose tasks, nodes and controller are killed.
slurm() {
  cargo build --locked --release
  local code
  for seed in 1 2 3; do
    code=0
    tools/slurm/chaos.py --program target/release/gridpact --file tools/slurm/sweep.toml \
      --seed "$seed" || code=$?
    case $code in
      0) ;;
      77) echo "SKIPPED: Slurm is not installed (Debian: slurmctld, slurmd, slurm-client, munge)"; return ;;
      *) return "$code" ;;
    esac
  done
}

# The book as mdBook builds it. (The tests of .ci/run read its pages with the parser of mdBook.)
book() {
  tools/book.sh
}

STEPS="book bytes coverage comparisons precision random readers theory faults deny soak hostile settings studies online plans federations slurm"

for step in ${*:-$STEPS}; do
  case " $STEPS " in
    *" $step "*) printf '\n== %s (%s s)\n' "$step" "$SECONDS"; "$step" ;;
    *) echo "there is no step $step; there are: $STEPS" >&2; exit 2 ;;
  esac
done
