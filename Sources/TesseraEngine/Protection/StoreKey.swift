// SPDX-License-Identifier: MIT
// The key of a store that the program itself keeps.

/// A key that the program hands over, as bytes or by a function.
///
/// It prints as `<redacted>`. A store that was made with it can only be opened with it: keep it as you would keep a
/// password.
public struct StoreKey: Sendable {
  /// How many bytes a key has.
  public static let byteCount = 32

  private enum Origin: Sendable {
    case bytes(KeyMaterial)
    case function(@Sendable () throws -> [UInt8])
  }

  private let origin: Origin

  /// A key of ``byteCount`` bytes that nobody can guess; a password is none.
  public init(_ bytes: [UInt8]) {
    origin = .bytes(KeyMaterial(bytes))
  }

  /// A key that a function gives when it is first needed.
  ///
  /// It is called on the thread of the call that needs the key, and not again once it has given one.
  ///
  /// - Parameter function: gives ``byteCount`` bytes, or throws when it has no key now: then nothing is read or written,
  ///   and the call ends with `key_unavailable`.
  public init(from function: @escaping @Sendable () throws -> [UInt8]) {
    origin = .function(function)
  }

  /// Whether the bytes that were given, if they were, can be a key.
  package var isUsable: Bool {
    guard case .bytes(let material) = origin else { return true }
    return material.count == StoreKey.byteCount
  }

  /// The key; nil if the function has none now, or gives something else.
  package func material() -> KeyMaterial? {
    switch origin {
    case .bytes(let material): return material.count == StoreKey.byteCount ? material : nil
    case .function(let function):
      guard var bytes = try? function() else { return nil }
      defer { bytes.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
      return bytes.count == StoreKey.byteCount ? KeyMaterial(bytes) : nil
    }
  }
}

extension StoreKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<redacted>`.
  public var description: String { "<redacted>" }

  /// Always `<redacted>`.
  public var debugDescription: String { description }

  /// Empty, so that `dump` and a debugger show nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
