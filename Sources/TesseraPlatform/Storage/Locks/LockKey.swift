// SPDX-License-Identifier: MIT
// The meaning of the bytes in the lock files. docs/store.md documents it for other programs.

import CLibrary
import TesseraCache
package import TesseraEngine

/// A lock of the store, which is a byte of the file with the locks between processes.
package struct LockKey: Sendable, Equatable {
  /// The offset of the byte.
  let offset: off_t

  /// The lock of a credential, in the lower half of the file.
  ///
  /// Two credentials share a byte with a probability of 2^-62.
  package init(_ credential: CredentialLock) {
    offset = off_t(RecordKey.number(of: credential.name) & 0x3FFF_FFFF_FFFF_FFFF)
  }

  private init(reserved: off_t) {
    offset = 0x4000_0000_0000_0000 + reserved
  }

  /// The lock of the whole store, for operations on its files that must not run concurrently.
  package static let store = LockKey(reserved: 0)

  /// The lock of the pending sign-ins, in stores that keep them in a separate file.
  static let signIns = LockKey(reserved: 1)
}

/// A byte of the file with the locks between threads, whose offset encodes a kind, a lock and a process.
///
/// From the most significant bit: two bits for the kind, 26 from the lock's offset, 22 for the process ID, 13 for its
/// start time.
struct ThreadLockKey {
  /// The meaning of a byte.
  enum Kind: off_t {
    /// Held by the thread of a process that may acquire the lock.
    case thread = 0
    /// Held by the process that holds the lock.
    case mark = 1
    /// Shared by all threads of a process that hold or are acquiring a lock.
    ///
    /// While it is held, no descriptor of the lock file may be closed.
    case use = 2
  }

  private static let processBits = ProcessIdentity.numberBits + ProcessIdentity.startBits

  /// The offset of the byte.
  let offset: off_t

  /// Creates the byte of a process for a lock.
  init(_ kind: Kind, _ key: LockKey, _ process: ProcessIdentity) {
    let number = off_t(process.number) & (1 << ProcessIdentity.numberBits - 1)
    offset =
      ThreadLockKey.range(kind, key).lowerBound + number << ProcessIdentity.startBits
      + off_t(process.start)
  }

  /// Returns the bytes of all processes for a lock.
  static func range(_ kind: Kind, _ key: LockKey) -> Range<off_t> {
    let key = kind == .use ? 0 : key.offset & 0x3FF_FFFF
    let first = kind.rawValue << 61 + key << processBits
    return first..<first + 1 << processBits
  }

  /// Returns the process that a byte belongs to.
  static func process(at offset: off_t) -> ProcessIdentity {
    let start = offset & (1 << ProcessIdentity.startBits - 1)
    let number = offset >> ProcessIdentity.startBits & (1 << ProcessIdentity.numberBits - 1)
    return ProcessIdentity(
      number: Int32(truncatingIfNeeded: number), start: UInt16(truncatingIfNeeded: start))
  }
}
