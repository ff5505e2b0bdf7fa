# SPDX-License-Identifier: MIT
"""The command line: `python -m tessera_identity` is `tessera`."""

from ._programs import command

if __name__ == "__main__":
    command()
