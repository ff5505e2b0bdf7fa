<?php
// SPDX-License-Identifier: MIT
// For PHP-FPM, which allows FFI only in preloaded files: opcache.preload=/path/preload.php
FFI::load(__DIR__ . '/tessera.h');
opcache_compile_file(__DIR__ . '/Tessera.php');
