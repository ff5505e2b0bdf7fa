#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails unless the library exports exactly the functions that tessera.h declares, with the version of the binary
# interface; usage: exports.sh LIBRARY
set -eu

expected=$("$(dirname "$0")/functions.sh")
version=TESSERA_$("$(dirname "$0")/../../scripts/version" abi)
# The version itself is an absolute symbol (A).
actual=$(nm -D --defined-only "$1" | awk '$2 != "A" { sub("@@'"$version"'$", "", $3); print $3 }' | LC_ALL=C sort -u)
[ "$expected" = "$actual" ] && exit 0
echo "the library does not export what the header declares:"
echo "declared: $(echo "$expected" | tr '\n' ' ')"
echo "exported: $(echo "$actual" | tr '\n' ' ' | cut -c 1-2000)"
exit 1
