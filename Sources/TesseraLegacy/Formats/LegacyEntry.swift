// SPDX-License-Identifier: MIT
// The entries that a reader of an older cache passes on one at a time, so that memory use does not depend on the cache size.

package import TesseraCache

/// An entry of an older cache.
package enum LegacyEntry: Sendable {
  /// An ADAL cache item.
  case item(LegacyItem)
  /// A record of the unified schema in the same cache.
  case record(CacheRecord)
  /// An entry that stays in the old cache and is never used.
  case preserved(Preserved)
  /// An entry that could not be read.
  ///
  /// Other entries are not affected.
  case damaged(LegacyCacheError)

  /// The kind of an entry that only its writer uses.
  package enum Preserved: String, Sendable, CaseIterable {
    /// The marker with the time at which the cache was last wiped.
    case wipeMarker = "wipe_marker"
    /// A primary refresh token of a broker.
    case primaryRefreshToken = "primary_refresh_token"
    /// Data that Intune stores for managed applications.
    case intune
    /// The registration of the device (workplace join).
    case deviceRegistration = "device_registration"
    /// The secret, certificate or token of a service.
    ///
    /// It does not sign in a user.
    case servicePrincipal = "service_principal"
    /// An entry of an unknown kind.
    case unknown
  }
}

/// An error in an entry of an older cache.
package struct LegacyCacheError: Error, Sendable, Equatable {
  /// The index of the entry, or `nil` if the whole cache is affected.
  package var entry: Int?
  /// A stable error name in snake case.
  package let code: String
  /// The error message for developers.
  ///
  /// It does not quote the entry.
  package let message: String

  /// Creates an error.
  package init(entry: Int? = nil, _ code: String, _ message: String) {
    self.entry = entry
    self.code = code
    self.message = message
  }
}
