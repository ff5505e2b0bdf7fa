// SPDX-License-Identifier: MIT
// What programs write into the lock file of a cache to say who they are.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Who says in a lock file that it holds the lock.
///
/// Every library writes its process's number first, in one form or another; nobody reads the rest. Tessera's own holders
/// add what tells them from everybody else, and from a later process with the same number.
enum PeerLockOwner: Equatable {
  /// A process of Tessera's, and the container in which its number counts.
  case own(ProcessIdentity, namespace: String)
  /// Another library's process.
  case peer(Int32)
  /// Nothing that names a process.
  case none

  /// How many bytes of a lock file are looked at.
  static let length = 128
  private static let signature = "tessera-lock"

  /// What the calling process writes.
  static var mine: String {
    let process = ProcessIdentity.current
    return "\(process.number) \(signature) \(process.start) \(ProcessIdentity.namespace)\n"
  }

  /// What a lock file says that is open.
  init(of descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: PeerLockOwner.length)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    self.init(bytes.prefix(max(count, 0)))
  }

  /// What a lock file says.
  init(_ content: some Collection<UInt8>) {
    let text = String(decoding: content.prefix(PeerLockOwner.length), as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.count == 4, words[1] == PeerLockOwner.signature, let number = Int32(words[0]),
      let start = UInt16(words[2])
    {
      self = .own(ProcessIdentity(number: number, start: start), namespace: String(words[3]))
      return
    }
    // MSAL for Go puts braces around it, .NET a byte order mark in front.
    let digits = text.unicodeScalars.drop { !("0"..."9").contains($0) }
      .prefix { ("0"..."9").contains($0) }
    if let number = Int32(String(String.UnicodeScalarView(digits))), number > 0 {
      self = .peer(number)
    } else {
      self = .none
    }
  }

  /// The process, as far as its number means something here.
  var process: Int32? {
    switch self {
    case .own(let process, _): process.number
    case .peer(let number): number
    case .none: nil
    }
  }

  /// Whether it names a process of Tessera's in this container that has certainly ended.
  var isTerminatedProcess: Bool {
    guard case .own(let process, let namespace) = self else { return false }
    return namespace != "-" && namespace == ProcessIdentity.namespace && process.hasEnded
  }
}
