// SPDX-License-Identifier: MIT
// What a reader of an older cache meets, one after another, so that a cache of any size takes little memory.

/// One thing that lies in an older cache.
package enum LegacyEntry: Sendable {
  /// An item of ADAL's.
  case item(LegacyItem)
  /// A record of the unified schema that lay beside them.
  case record(CacheRecord)
  /// What is kept where it lies, and is never acted on.
  case preserved(Preserved)
  /// An entry that could not be read; the others are not worse for it.
  case damaged(LegacyDamage)

  /// What nobody but its writer acts on.
  package enum Preserved: String, Sendable, CaseIterable {
    /// The marker that tells when somebody emptied the cache.
    case wipeMarker = "wipe_marker"
    /// A primary refresh token of a broker.
    case primaryRefreshToken = "primary_refresh_token"
    /// What Intune keeps of managed programs.
    case intune
    /// What joins a device to a workplace.
    case deviceRegistration = "device_registration"
    /// A service's own secret or certificate: it signs nobody in.
    case servicePrincipal = "service_principal"
    /// An entry of a kind that nothing is known of.
    case unknown
  }
}

/// An entry of an older cache that could not be read.
package struct LegacyDamage: Error, Sendable, Equatable {
  /// Which entry it is, counted from 0; nil for the whole cache.
  package var entry: Int?
  /// A stable name in snake case.
  package let code: String
  /// What is wrong, for a developer; it quotes nothing of the entry.
  package let message: String

  /// An entry that could not be read.
  package init(entry: Int? = nil, _ code: String, _ message: String) {
    self.entry = entry
    self.code = code
    self.message = message
  }
}
