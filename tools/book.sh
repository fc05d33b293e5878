#!/usr/bin/env bash
# Builds the book into target/book, with warnings as errors. mdBook is installed into target/tools if it is
# missing, without optimization: that is built in a minute, and the book in two seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.5.4
PATH="$PWD/target/tools/bin:$PATH"
if [ "$(mdbook --version 2>/dev/null)" != "mdbook v$version" ]; then
  cargo install mdbook --debug --no-default-features --locked --quiet --version "$version" --root target/tools
fi
# The pages of keys and parts, and the schemas beside them.
cargo test --locked --release --quiet --test program book::generated >/dev/null
said=$(mdbook build docs/book 2>&1) || { printf '%s\n' "$said" >&2; exit 1; }
if grep -E 'WARN|ERROR' <<<"$said" >&2; then exit 1; fi
target/release/gridpact schema >target/book/gridpact.schema.json
target/release/gridpact schema --game >target/book/gridpact-game.schema.json
echo "target/book/index.html"
