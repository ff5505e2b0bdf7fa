# SPDX-License-Identifier: MIT
"""The version of the package; a test compares it with the header."""

__version__ = "0.1.0"
