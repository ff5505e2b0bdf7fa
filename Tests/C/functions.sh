#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the functions declared by tessera.h, one a line, sorted.
set -eu

# Without comments and macros, a name before a parenthesis is a declared function; callback types have (*name).
gcc -E -P "$(dirname "$0")/../../include/tessera.h" |
  grep -o 'tessera_[a-z_]*(' | tr -d '(' | LC_ALL=C sort -u
