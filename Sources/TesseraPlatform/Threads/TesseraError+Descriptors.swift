// SPDX-License-Identifier: MIT
// What a call ends with that needs a descriptor, in a process that has none left.

package import TesseraEngine

extension TesseraError {
  /// There is no descriptor left for a call.
  package static var noDescriptorLeft: TesseraError {
    TesseraError(
      .retryLater, .tooManyOpenFiles,
      "The process has no file descriptor left: close some, or allow it more (ulimit -n).")
  }

  /// Ends a call if there was no descriptor for it.
  ///
  /// - Parameter code: what the system said (`errno`).
  static func checkDescriptors(_ code: Int32) throws(TesseraError) {
    if StoreLocation.noDescriptorLeft.contains(code) { throw .noDescriptorLeft }
  }
}
