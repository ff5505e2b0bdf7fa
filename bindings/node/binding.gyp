# SPDX-License-Identifier: MIT
{
  "targets": [
    {
      "target_name": "tessera",
      "sources": ["addon.c"],
      "cflags": ["-std=gnu11"],
      # Threads of the library may return into the addon after a worker has unloaded it.
      "ldflags": ["-Wl,-z,nodelete"],
    }
  ]
}
