#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails unless a library or program was linked and compiled with all protections; usage: hardening.sh FILE [OBJECTS]
#
# OBJECTS is the folder with the object files of the build. Those of C code show the compiler options.
set -eu

file=$1
objects=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
failed=0

complain() {
  echo "$file: $1"
  failed=1
}

readelf -dW "$file" | grep -Eq 'BIND_NOW|Flags:.* NOW' || complain "symbols are bound lazily (-z now)"
readelf -dW "$file" | grep -q TEXTREL && complain "has text relocations"
segments=$(readelf -lW "$file")
echo "$segments" | grep -q GNU_RELRO || complain "has no read-only relocations (-z relro)"
echo "$segments" | grep -E '^ +LOAD' | grep -q 'RWE' && complain "has a segment that is writable and executable"
echo "$segments" | grep -E '^ +GNU_STACK' | grep -q 'E *0x' && complain "has an executable stack"
# The columns after the name: type, address, offset, size, entry size, flags.
flags=$(readelf -SW "$file" | sed -n 's/^ *\[ *[0-9]*\] \.rodata  *//p' | awk '{ print $6 }')
case $flags in
  *W*) complain ".rodata is writable ($flags); see Sources/TesseraC/Link/sections.ld" ;;
  A*) ;;
  *) complain "has no .rodata ($flags)" ;;
esac
grep -aqF "$root/" "$file" && complain "holds the path of the build ($root)"
symbols=$(nm -D --undefined-only "$file")
echo "$symbols" | grep -q '__stack_chk_fail' || complain "has no stack protector (-fstack-protector-strong)"
echo "$symbols" | grep -Eq '__[a-z]+_chk' || complain "has no checked functions (-D_FORTIFY_SOURCE=2)"

[ -n "$objects" ] || exit "$failed"
for module in CTesseraSystem CTesseraStore CTesseraCipher CCryptoBoringSSL; do
  found=$(find -L "$objects/$module.build" -name '*.o')
  [ -n "$found" ] || complain "$module has no object files in $objects"
  # shellcheck disable=SC2086 # The names are separate words.
  nm $found 2>/dev/null | grep -q '__stack_chk_fail' || complain "$module has no stack protector"
  [ "$(uname -m)" = x86_64 ] || continue
  for object in $found; do
    # Assembly for another processor leaves an empty object.
    [ -n "$(nm "$object" 2>/dev/null)" ] || continue
    case $(readelf -nW "$object" 2>/dev/null) in
      *IBT*SHSTK*) ;;
      *) complain "$module: $(basename "$object") has no note of CET (-fcf-protection)" ;;
    esac
  done
done
exit "$failed"
