#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails unless tessera.h, and each of its parts alone, compiles; usage: compiles.sh INCLUDES COMPILER DIALECT LANGUAGE
set -eu

for part in "$1/tessera.h" "$1"/tessera/*.h; do
  "$2" "-std=$3" -Wall -Wextra -pedantic -Werror "-I$1" -x "$4" -fsyntax-only -include "$part" \
    "$(dirname "$0")/headertest.c"
done
