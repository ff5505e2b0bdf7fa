# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# The library is loaded at run time, so that the extension can be compiled without it.
require "mkmf"

abort "tessera needs a system with dlopen()" unless have_header("dlfcn.h")
have_library("dl", "dlopen")
append_cflags(%w[-std=gnu11 -O2 -Wall])
create_makefile("tessera/native")
