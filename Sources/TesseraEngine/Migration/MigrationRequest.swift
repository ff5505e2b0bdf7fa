// SPDX-License-Identifier: MIT
// Which cache of an older library is to be taken over.

/// A cache that an older library wrote, as bytes: a file's, a keychain item's, or what a host keeps them in.
public struct MigrationRequest: Sendable, Hashable {
  /// The most bytes that are read: what ADAL keeps of a hundred thousand people is less.
  public static var largest: Int { 256 << 20 }

  /// What the cache holds; it is read and never changed.
  public var data: [UInt8]
  /// The format, by one of the names of ``formats``; nil if it is to be recognised.
  public var format: String?
  /// Whether only a report is wanted, and nothing is to be stored.
  public var isDryRun = false
  /// Milliseconds to wait for a store that another process holds, at each look at it; nil for ten seconds.
  public var timeoutMilliseconds: Int64?

  /// A cache to take over.
  public init(data: [UInt8], format: String? = nil) {
    self.data = data
    self.format = format
  }
}

extension MigrationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// Everything but what the cache holds, which are tokens.
  public var description: String {
    "MigrationRequest(format: \(format ?? "recognised"), isDryRun: \(isDryRun), data: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// Everything but what the cache holds, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["format": format ?? "recognised", "isDryRun": isDryRun])
  }
}
