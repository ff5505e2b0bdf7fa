// SPDX-License-Identifier: MIT
// Opens files and directories without using the standard descriptors, independent of the umask.

import CLibrary
import CTesseraSystem

/// Opens a file with `O_CLOEXEC`; never as standard input, output or error.
///
/// - Parameter mode: The mode of a file that this call creates, independent of the umask.
/// - Returns: A descriptor above 2, or -1 with the reason in `errno`.
func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, mode: UInt32 = 0) -> Int32 {
  ctessera_open(path, flags, mode)
}

/// Opens a directory to list its entries, with a descriptor above 2; nil with the reason in `errno` on failure.
func openDirectory(_ path: String) -> OpaquePointer? {
  ctessera_fill_standard_descriptors()
  return opendir(path)
}
