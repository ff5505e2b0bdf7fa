# SPDX-License-Identifier: MIT
"""The version of the binding; a test keeps it equal to the header's."""

__version__ = "0.1.0"
