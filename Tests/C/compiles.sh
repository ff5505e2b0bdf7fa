#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails unless tessera.h compiles without warnings; usage: compiles.sh INCLUDES COMPILER DIALECT LANGUAGE
set -eu

"$2" "-std=$3" -Wall -Wextra -Wconversion -pedantic -Werror "-I$1" -x "$4" -fsyntax-only "$(dirname "$0")/headertest.c"
