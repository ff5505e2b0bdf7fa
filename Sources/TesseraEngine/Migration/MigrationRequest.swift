// SPDX-License-Identifier: MIT
// A request to migrate the cache of an older library.

/// A cache of an older library as bytes: the contents of a file, of a keychain item or of another store.
public struct MigrationRequest: Sendable, Hashable {
  /// The maximum size of the data in bytes.
  ///
  /// ADAL needs less for one hundred thousand accounts.
  public static var largest: Int { 256 << 20 }

  /// The contents of the cache.
  ///
  /// They are not modified.
  public var data: [UInt8]
  /// The format, one of ``formats``; `nil` to detect it.
  public var format: String?
  /// Whether to create only a report, without storing anything.
  public var isDryRun = false
  /// The maximum time to wait for another process that holds the store, in milliseconds for each access; `nil` for ten
  /// seconds.
  public var timeoutMilliseconds: Int64?

  /// Creates a request for a cache.
  public init(data: [UInt8], format: String? = nil) {
    self.data = data
    self.format = format
  }
}

extension MigrationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// All properties except the contents of the cache, which are tokens.
  public var description: String {
    "MigrationRequest(format: \(format ?? "recognised"), isDryRun: \(isDryRun), data: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without the contents of the cache, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["format": format ?? "recognised", "isDryRun": isDryRun])
  }
}
