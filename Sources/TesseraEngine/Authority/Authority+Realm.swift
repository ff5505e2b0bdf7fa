// SPDX-License-Identifier: MIT
// The realm (tenant) under which an account's tokens of an authority are stored.

package import TesseraCache
import TesseraWire

extension Authority {
  /// Returns the realm of an account's tokens at this authority, or `nil` if it is not known yet.
  ///
  /// - Parameters:
  ///   - metadata: The account metadata, which maps requested authorities to the issuing ones.
  ///   - hosts: The host aliases of the cloud. They have the same tenants.
  ///   - isInstanceAware: Whether the application supports multiple clouds.
  package func realm(
    of homeAccountID: String, _ metadata: AccountMetadataRecord?, hosts: [String],
    isInstanceAware: Bool = false
  ) -> String? {
    guard isEntra else { return "" }
    if let metadata {
      let path = text.dropFirst(address.origin.count)
      for name in [text] + hosts.map({ "\(address.scheme)://\($0)\(path)" }) {
        let result = metadata.authority(
          for: name, of: homeAccountID, isInstanceAware: isInstanceAware)
        if let result {
          return Authority.tenant(in: result)
        }
      }
    }
    let home = homeAccountID.split(separator: ".").dropFirst().last.map(String.init)
    guard case .entra(let tenant) = kind else { return home }
    switch tenant {
    case "consumers": return CloudTable.consumersTenant
    // As in MSAL for Apple, a shared tenant means the account's own tenant. In `organizations`, a personal account has
    // none.
    case "organizations" where home == CloudTable.consumersTenant: return tenant
    case "common", "organizations": return home
    default: return tenant
    }
  }

  /// Returns an account ID in the form in which this authority compares it.
  package func normalised(_ homeAccountID: String) -> String {
    isEntra ? homeAccountID.normalised : homeAccountID.trimmed
  }

  /// Returns whether an account belongs to a different B2C policy.
  ///
  /// Its tokens are not valid for this authority.
  ///
  /// B2C appends the policy to the object ID, and every policy starts with `b2c_1`. The policy may contain dots; a
  /// tenant ID does not.
  package func belongsToOtherPolicy(_ homeAccountID: String) -> Bool {
    guard case .b2c(_, let policy, _) = kind else { return false }
    guard let dot = homeAccountID.lastIndex(of: ".") else { return false }
    let uid = homeAccountID[..<dot]
    return uid.contains("-b2c_1") && !uid.hasSuffix("-" + policy)
  }

  /// Returns the tenant of a stored authority, or `nil` if it has none.
  private static func tenant(in result: String) -> String? {
    guard let segments = WebURL(result)?.pathSegments else { return nil }
    return segments.first == "tfp" ? segments.dropFirst().first : segments.first
  }
}
