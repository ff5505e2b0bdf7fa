// SPDX-License-Identifier: MIT
// The owner of a cache lock, as recorded in the lock file.

import CLibrary
import TesseraPlatform

/// The owner that is recorded in a lock file.
///
/// Every library writes its process ID first, in different forms, and ignores the rest. Tessera also writes a signature,
/// which identifies it. The start time of the process distinguishes it from a later process with the same ID.
enum PeerLockOwner: Equatable {
  /// A process with Tessera, and the PID namespace of its ID.
  case own(ProcessIdentity, namespace: String)
  /// A process with another library.
  case peer(Int32)
  /// No process ID.
  case none

  /// The number of bytes of a lock file that are parsed.
  static let length = 128
  private static let signature = "tessera-lock"

  /// The content of a lock file of the calling process.
  static var contentOfThisProcess: String {
    let process = ProcessIdentity.current
    return "\(process.number) \(signature) \(process.start) \(ProcessIdentity.namespace)\n"
  }

  /// Reads the owner from an open lock file.
  init(of descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: PeerLockOwner.length)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    self.init(bytes.prefix(max(count, 0)))
  }

  /// Parses the content of a lock file.
  init(_ content: some Collection<UInt8>) {
    let text = String(decoding: content.prefix(PeerLockOwner.length), as: UTF8.self)
    let fields = text.split(whereSeparator: \.isWhitespace)
    if fields.count == 4, fields[1] == PeerLockOwner.signature, let number = Int32(fields[0]),
      let start = UInt16(fields[2])
    {
      self = .own(ProcessIdentity(number: number, start: start), namespace: String(fields[3]))
      return
    }
    // MSAL for Go encloses the ID in braces. MSAL for .NET puts a byte order mark in front.
    let digits = text.unicodeScalars.drop { !("0"..."9").contains($0) }
      .prefix { ("0"..."9").contains($0) }
    if let number = Int32(String(String.UnicodeScalarView(digits))), number > 0 {
      self = .peer(number)
    } else {
      self = .none
    }
  }

  /// The process ID, which may belong to another PID namespace; `nil` if none is recorded.
  var process: Int32? {
    switch self {
    case .own(let process, _): process.number
    case .peer(let number): number
    case .none: nil
    }
  }

  /// Whether the owner is a process with Tessera in this PID namespace that has ended.
  var isTerminatedProcess: Bool {
    guard case .own(let process, let namespace) = self else { return false }
    return namespace != "-" && namespace == ProcessIdentity.namespace && process.hasEnded
  }
}
