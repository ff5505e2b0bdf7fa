// SPDX-License-Identifier: MIT
// A request to migrate the cache of an older library.

import TesseraEngine

/// A cache of an older library as bytes: the contents of a file, of a keychain item or of another store.
public struct MigrationRequest: Sendable, Hashable {
  /// The format of a cache.
  public typealias Format = LegacyFormat

  /// The maximum size of the data in bytes.
  ///
  /// ADAL needs less for one hundred thousand accounts.
  public static var largest: Int { 256 << 20 }

  /// The contents of the cache.
  ///
  /// They are not modified.
  public var data: [UInt8]
  /// The format; `nil` to detect it.
  public var format: Format?
  /// Whether to create only a report, without storing anything.
  public var isDryRun = false
  /// The timeout of the whole call; `nil` for ten seconds for each access to a store that another process holds.
  public var timeout: Duration?

  /// Creates a request for a cache.
  public init(
    data: [UInt8], format: Format? = nil, isDryRun: Bool = false, timeout: Duration? = nil
  ) {
    self.data = data
    self.format = format
    self.isDryRun = isDryRun
    self.timeout = timeout
  }
}

extension MigrationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// All properties except the contents of the cache, which are tokens.
  public var description: String {
    "MigrationRequest(format: \(format?.rawValue ?? "detected"), isDryRun: \(isDryRun), data: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without the contents of the cache, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["format": format?.rawValue ?? "detected", "isDryRun": isDryRun])
  }
}
