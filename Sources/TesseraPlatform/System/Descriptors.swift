// SPDX-License-Identifier: MIT
// File descriptors, and the error if there are none.

import CLibrary
import CTesseraSystem
package import TesseraEngine

/// Opens a file with `O_CLOEXEC`; never as standard input, output or error.
///
/// - Parameter mode: The mode of a file that this call creates, independent of the umask.
/// - Returns: A descriptor above 2, or -1 with the reason in `errno`.
package func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, mode: UInt32 = 0) -> Int32 {
  ctessera_open(path, flags, mode)
}

/// Opens a directory to list its entries, with a descriptor above 2; nil with the reason in `errno` on failure.
package func openDirectory(_ path: String) -> OpaquePointer? {
  ctessera_fill_standard_descriptors()
  return opendir(path)
}

extension TesseraError {
  /// The error for a call that needs a file descriptor if none is left.
  package static var noDescriptorLeft: TesseraError {
    TesseraError(
      .retryLater, .tooManyOpenFiles,
      "The process has too many open files: close files, or raise the limit (ulimit -n).")
  }

  /// Returns the error of a process without a free descriptor.
  ///
  /// The store itself is intact, so no refresh token is redeemed instead.
  package static func tooManyFiles(_ path: String) -> TesseraError {
    TesseraError(
      .retryLater, .storeBusy,
      "\(path) could not be opened: the process has too many open files. Close files, or raise the limit (ulimit -n)."
    )
  }

  /// Whether an `errno` value reports that the process or the machine has too many open files.
  static func isDescriptorLimit(_ code: Int32) -> Bool {
    code == EMFILE || code == ENFILE
  }

  /// Throws `tooManyOpenFiles` if a system call failed for lack of a descriptor.
  ///
  /// - Parameter code: The `errno` of the system call.
  static func checkDescriptors(_ code: Int32) throws(TesseraError) {
    if isDescriptorLimit(code) { throw .noDescriptorLeft }
  }
}

extension TesseraError.Cause {
  /// Returns a cause with an `errno` value and its description.
  package static func system(_ code: Int32) -> TesseraError.Cause {
    TesseraError.Cause(.system, Int64(code), String(cString: strerror(code)))
  }
}
