// SPDX-License-Identifier: MIT
// Which byte of which file stands for what; docs/store.md has the same for other programs.

import TesseraCache
package import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is locked: a byte of the file of locks.
package struct LockPlace: Sendable, Equatable {
  /// The byte in the file of locks.
  let offset: off_t

  /// The lock of a credential, in the lower half of the file: nobody meets another's byte but by a chance of 2^-62.
  package init(_ credential: CredentialLock) {
    offset = off_t(RecordKey.number(of: credential.name) & 0x3FFF_FFFF_FFFF_FFFF)
  }

  private init(reserved: off_t) {
    offset = 0x4000_0000_0000_0000 + reserved
  }

  /// The lock of the whole store, for what no two processes may do at once to its files.
  package static let store = LockPlace(reserved: 0)
}

/// A byte of the file of turns: what, for which place, for which process.
///
/// From the top: two bits say what, 26 are the end of the place, 22 the process's number, 13 its start.
struct TurnPlace {
  /// What a byte stands for.
  enum Kind: off_t {
    /// Held by the thread whose turn it is, in its process.
    case turn = 0
    /// Held by whoever has the lock of the place.
    case mark = 1
    /// Shared by all threads of a process that hold a lock or try to: none of its descriptors may be closed.
    case use = 2
  }

  private static let processBits = ProcessIdentity.numberBits + ProcessIdentity.startBits

  /// The byte.
  let offset: off_t

  /// The byte of a process for a place.
  init(_ kind: Kind, _ place: LockPlace, _ process: ProcessIdentity) {
    let number = off_t(process.number) & (1 << ProcessIdentity.numberBits - 1)
    offset =
      TurnPlace.range(kind, place).lowerBound + number << ProcessIdentity.startBits
      + off_t(process.start)
  }

  /// The bytes of all processes for a place.
  static func range(_ kind: Kind, _ place: LockPlace) -> Range<off_t> {
    let place = kind == .use ? 0 : place.offset & 0x3FF_FFFF
    let first = kind.rawValue << 61 + place << processBits
    return first..<first + 1 << processBits
  }

  /// The process that a byte belongs to.
  static func process(at offset: off_t) -> ProcessIdentity {
    let start = offset & (1 << ProcessIdentity.startBits - 1)
    let number = offset >> ProcessIdentity.startBits & (1 << ProcessIdentity.numberBits - 1)
    return ProcessIdentity(
      number: Int32(truncatingIfNeeded: number), start: UInt16(truncatingIfNeeded: start))
  }
}
