#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails unless the library needs only the C library, and not its newest version; usage:
# [SQLITE=system] [RELOCATIONS=packed] dependencies.sh LIBRARY
set -eu

library=$1
allowed=' libc.so.6 libm.so.6 '
[ "${SQLITE:-static}" = static ] || allowed="$allowed libsqlite3.so.0 "
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

# The static libstdc++ of a newer system may need its glibc.
newest=$(readelf -VW "$library" | sed -n 's/.*Name: GLIBC_2\.\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
case $(getconf GNU_LIBC_VERSION) in
  'glibc 2.3'[4-6]) [ "$newest" -le 34 ] || complain "it needs glibc 2.$newest; see Sources/TesseraC/Link/glibc.c" ;;
esac
# An older glibc must report that it cannot apply packed relocations.
packed=$(readelf -VW "$library" | grep -c 'Name: GLIBC_ABI_DT_RELR' || true)
case ${RELOCATIONS:-plain} in packed) expected=1 ;; *) expected=0 ;; esac
[ "$packed" = "$expected" ] || complain "it has packed relocations ($packed), unlike RELOCATIONS"
readelf -dW "$library" | grep -q "(SONAME).*\[$soname\]" || complain "its SONAME is not $soname"
readelf -dW "$library" | grep -E 'RPATH|RUNPATH' && complain "it looks for libraries in a place of its own"
readelf -SW "$library" | grep -q ' \.symtab ' && complain "it is not stripped"

# Systems with pages of 16 KB cannot load a segment with a smaller alignment.
readelf -lW "$library" | awk '$1 == "LOAD" { print $NF }' | while read -r alignment; do
  [ $((alignment)) -ge 16384 ] || exit 1
done || complain "a segment is aligned to less than 16 KB"
exit "$failed"
