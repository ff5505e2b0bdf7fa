#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the timeouts of calls, also with an unresponsive name server (as root: in a network namespace).
set -eu
cd "$(dirname "$0")/../.."

SWIFT_DETERMINISTIC_HASHING=1 swift build --build-tests
run='swift test --skip-build --filter TesseraPlatformTests.DeadlineFigures'
export TESSERA_FIGURES=1

if ! unshare --net --mount true 2>/dev/null; then
  echo "no name server that never answers: that needs root" >&2
  exec $run
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "nameserver 127.0.0.1" > "$work/resolv.conf"
cat > "$work/silent.py" <<'PYTHON'
import socket, time
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
time.sleep(3600)
PYTHON

export work run TESSERA_SILENT_NAMES=1
unshare --net --mount sh -eu -c '
  ip link set lo up
  mount --bind "$work/resolv.conf" /etc/resolv.conf
  python3 "$work/silent.py" & names=$!
  status=0
  $run || status=$?
  kill "$names"
  exit "$status"'
