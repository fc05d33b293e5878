#!/usr/bin/env bash
# Builds what a release consists of into target/dist-files: for each platform an archive with the programs
# and a wheel with the Python package. What is of this platform is installed and tried.
# A platform whose Rust library or linker is missing is skipped, and so said.
# Needs maturin 1.16 (`pip install maturin`). With `pip install ziglang` wheels run on glibc 2.17 or later,
# else on that of this machine or later.
# Usage: tools/release.sh [PROFILE]      (dist, unless another profile of Cargo is given)
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-dist}
out=$PWD/target/dist-files
host=$(rustc -vV | sed -n 's/^host: //p')
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
rm -rf "$out"
mkdir -p "$out"

# Maturin's name of a linker that knows old C libraries, if it is there.
zig=()
if python3 -m ziglang version >/dev/null 2>&1; then zig=(--zig --compatibility manylinux_2_17); fi

# Builds the files of a platform; the options of Cargo stand behind it.
build() {
  local platform=$1 folder=$2
  shift 2
  local name=gridpact-$version-$platform
  cargo build --locked --profile "$profile" "$@" --quiet -p gridpact -p gridpact-studies
  mkdir "$out/$name"
  cp "$folder/$profile/gridpact" "$folder/$profile/gridpact-studies" README.md CHANGELOG.md \
    LICENSE LICENSE-APACHE LICENSE-MIT "$out/$name"
  tar -C "$out" -czf "$out/$name.tar.gz" "$name"
  rm -r "${out:?}/$name"
  maturin build --locked --profile "$profile" "$@" --quiet "${zig[@]}" --manifest-path python/Cargo.toml \
    --target-dir target --out "$out" >"$out/maturin.log" 2>&1 || { cat "$out/maturin.log" >&2; exit 1; }
  rm "$out/maturin.log"
}

# The platform of this machine builds in the folder that all else is built in.
for platform in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
  linker=${platform/-unknown/}-gcc
  if [ "$platform" = "$host" ]; then
    build "$platform" target
  elif [ ! -d "$(rustc --print sysroot)/lib/rustlib/$platform" ]; then
    echo "SKIPPED: $platform: Rust's library is missing (rustup target add $platform)"
  elif ! command -v "$linker" >/dev/null; then
    echo "SKIPPED: $platform: $linker is missing (Debian: apt-get install gcc-${platform%%-*}-linux-gnu)"
  else
    export "CARGO_TARGET_$(echo "$platform" | tr 'a-z-' 'A-Z_')_LINKER=$linker"
    build "$platform" "target/$platform" --target "$platform"
  fi
done

# From the archive and the wheel to a first result, as a user has them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$work" -xzf "$out/gridpact-$version-$host.tar.gz"
"$work/gridpact-$version-$host/gridpact" run scenarios/ten-jobs.toml --quiet --no-files
"$work/gridpact-$version-$host/gridpact-studies" --version
python3 -m venv --without-pip "$work/venv"
SECONDS=0
python3 -m pip --python "$work/venv/bin/python" install --quiet --disable-pip-version-check --no-index \
  "$out"/gridpact-"$version"-*"${host%%-*}".whl
"$work/venv/bin/gridpact" --version
(
  cd scenarios
  "$work/venv/bin/python" - <<'END'
import gridpact

results = gridpact.run("ten-jobs.toml")
picture = results._repr_html_()
assert "data:image/svg+xml" in picture
END
)
echo "from the wheel to a first picture: $SECONDS s"
(cd "$out" && sha256sum ./* >SHA256SUMS && ls -s --block-size=k)
