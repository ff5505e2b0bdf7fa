// SPDX-License-Identifier: MIT
// The encryption key of a store that the application provides.

/// An encryption key that the application provides, as bytes or by a function.
///
/// Its description is `<redacted>`. A store that was created with it can only be opened with it, so protect it like a
/// password.
public struct StoreKey: Sendable {
  /// The size of a key, in bytes.
  public static let byteCount = 32

  private enum Origin: Sendable {
    case bytes(KeyMaterial)
    case function(@Sendable () throws -> [UInt8])
  }

  private let origin: Origin

  /// Creates a key from ``byteCount`` random bytes.
  ///
  /// A password is not suitable.
  public init(_ bytes: [UInt8]) {
    origin = .bytes(KeyMaterial(bytes))
  }

  /// Creates a key that is provided by a function when it is first needed.
  ///
  /// The function is called on the thread of the call that needs the key. It is not called again after it has returned a
  /// key.
  ///
  /// - Parameter function: Returns ``byteCount`` bytes, or throws if the key is unavailable. Then nothing is read or
  ///   written, and the call fails with `key_unavailable`.
  public init(from function: @escaping @Sendable () throws -> [UInt8]) {
    origin = .function(function)
  }

  /// Whether the size of the given bytes is valid; `true` for a function.
  package var isUsable: Bool {
    guard case .bytes(let material) = origin else { return true }
    return material.count == StoreKey.byteCount
  }

  /// Returns the key.
  ///
  /// Returns `nil` if the function throws or returns an invalid key.
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

  /// An empty mirror, so that `dump` and a debugger show no key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
