// SPDX-License-Identifier: MIT
// The handle of a cancellation.

import Tessera

/// The handle of a cancellation.
typealias CancellationHandle = Handle<Cancellation, Void>

extension Handle where Object == Cancellation, Extra == Void {
  /// The magic number of a cancellation handle: "TESSSTOP" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_5354_4F50 }

  /// Returns the cancellation of the handle at a pointer; nil for NULL.
  ///
  /// - Throws: `fixRequest` if the pointer is not NULL and is not a cancellation.
  static func optional(_ pointer: OpaquePointer?) throws(TesseraError) -> Cancellation? {
    guard pointer != nil else { return nil }
    guard let handle = at(pointer, magicNumber: magicNumber) else {
      throw CBridge.missing("cancellation")
    }
    return handle.pointee.borrowed { $0 }
  }
}
