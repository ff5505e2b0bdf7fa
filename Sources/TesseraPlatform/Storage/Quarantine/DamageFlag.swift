// SPDX-License-Identifier: MIT
// A flag for the next writer, in any process: damage was found in the database.

import CLibrary

/// The last 64-bit word of the change counter file; nonzero if damage was found since the last full check of the
/// database.
///
/// A reader does not change the database, and a later writer may not access the damaged part. If the file is not
/// writable, other processes are not informed.
struct DamageFlag {
  private static let offset = off_t(ChangeCounterFile.size - 8)

  /// The path, as a C string to avoid a conversion.
  let path: UnsafePointer<CChar>

  /// Whether the flag is set.
  var isSet: Bool {
    withFile(O_RDONLY, DamageFlag.isSet)
  }

  /// Whether the flag is set in an open file.
  static func isSet(_ descriptor: Int32) -> Bool {
    var value: UInt64 = 0
    return pread(descriptor, &value, 8, offset) == 8 && value != 0
  }

  /// Sets or clears the flag.
  ///
  /// Does nothing if the file is not writable.
  func set(_ isSet: Bool) {
    _ = withFile(O_RDWR) { descriptor in
      var status = stat()
      var value: UInt64 = isSet ? 1 : 0
      return fstat(descriptor, &status) == 0 && status.st_size >= ChangeCounterFile.size
        && pwrite(descriptor, &value, 8, DamageFlag.offset) == 8
    }
  }

  private func withFile(_ flags: Int32, _ body: (Int32) -> Bool) -> Bool {
    let descriptor = openFile(path, flags | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return body(descriptor)
  }
}
