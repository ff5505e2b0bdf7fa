#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails unless the library needs only standard Linux libraries, and no Swift runtime; usage: dependencies.sh LIBRARY
set -eu

library=$1
allowed=' libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1 libsqlite3.so.0 libpthread.so.0 libdl.so.2 '
soname=libtessera.so.$("$(dirname "$0")/../../scripts/version" abi)
failed=0
complain() {
  echo "$1"
  failed=1
}

for needed in $(readelf -dW "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'); do
  case "$allowed" in
    *" $needed "*) ;;
    *) case $needed in ld-linux*) ;; *) complain "it needs $needed" ;; esac ;;
  esac
done

readelf -dW "$library" | grep -q "(SONAME).*\[$soname\]" || complain "its SONAME is not $soname"
readelf -dW "$library" | grep -E 'RPATH|RUNPATH' && complain "it looks for libraries in a place of its own"
readelf -SW "$library" | grep -q ' \.symtab ' && complain "it is not stripped"

# Systems with pages of 16 KB cannot load a segment with a smaller alignment.
readelf -lW "$library" | awk '$1 == "LOAD" { print $NF }' | while read -r alignment; do
  [ $((alignment)) -ge 16384 ] || exit 1
done || complain "a segment is aligned to less than 16 KB"
exit "$failed"
