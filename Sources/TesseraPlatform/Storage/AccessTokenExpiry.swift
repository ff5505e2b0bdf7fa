// SPDX-License-Identifier: MIT
// The time after which a store may evict an access token.

import TesseraCache
import TesseraWire

extension CredentialRecord {
  /// The time for which an expired token is kept, because the clock may have been adjusted slightly.
  static let evictionGraceSeconds: Int64 = 300

  /// Whether the time of an access token has passed on both clocks, with a margin.
  func isUseless(at clocks: Clocks) -> Bool {
    guard let end = CacheRecord.credential(self).expiryTime else { return false }
    let last = clocks.now.adding(seconds: -CredentialRecord.evictionGraceSeconds)
    return end < last.secondsSince1970 && !isUnexpired(at: clocks)
  }

  /// Whether the token has not expired according to the boot-time clock, which cannot be set.
  ///
  /// False for tokens of another library and those received before the last boot: only the wall clock applies to them.
  func isUnexpired(at clocks: Clocks) -> Bool {
    guard let received = receivedBootTime, let age = clocks.bootTime?.seconds(since: received),
      let cachedAt, let end = [expiresAt, extendedExpiresAt].compactMap(\.self).max()
    else { return false }
    return age < end.seconds(since: cachedAt)
  }
}

extension CacheRecord {
  /// The time after which an access token is useless, in seconds since 1970; nil for records without an expiry time.
  var expiryTime: Int64? {
    guard let token = accessToken else { return nil }
    // Not the maximum of an array: the first use of an array type takes 15 KiB of stack.
    let expiresAt = token.expiresAt?.secondsSince1970
    guard let extended = token.extendedExpiresAt?.secondsSince1970 else { return expiresAt }
    return max(expiresAt ?? extended, extended)
  }
}
