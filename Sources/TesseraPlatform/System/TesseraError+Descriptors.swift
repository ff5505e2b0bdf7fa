// SPDX-License-Identifier: MIT
// The error for a process without a free file descriptor.

package import TesseraEngine

extension TesseraError {
  /// The error for a call that needs a file descriptor if none is left.
  package static var noDescriptorLeft: TesseraError {
    TesseraError(
      .retryLater, .tooManyOpenFiles,
      "The process has too many open files: close files, or raise the limit (ulimit -n).")
  }

  /// Throws `tooManyOpenFiles` if a system call failed for lack of a descriptor.
  ///
  /// - Parameter code: The `errno` of the system call.
  static func checkDescriptors(_ code: Int32) throws(TesseraError) {
    if StoreLocation.noDescriptorLeft.contains(code) { throw .noDescriptorLeft }
  }
}
