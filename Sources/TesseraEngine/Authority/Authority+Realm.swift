// SPDX-License-Identifier: MIT
// In which tenant an account's tokens of an authority are.

package import TesseraCache
import TesseraWire

extension Authority {
  /// The tenant of the tokens that an account has at this authority; nil if nobody has seen it yet.
  ///
  /// - Parameters:
  ///   - metadata: where the authority led when the account used it.
  ///   - hosts: the other hosts of its cloud: a tenant is the same at all of them.
  ///   - isInstanceAware: whether the application is for several clouds.
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
    // MSAL for Apple: a shared tenant stands for the account's own, but a personal account has none in `organizations`.
    case "organizations" where home == CloudTable.consumersTenant: return tenant
    case "common", "organizations": return home
    default: return tenant
    }
  }

  /// An identifier of an account as this authority compares it.
  package func normalised(_ homeAccountID: String) -> String {
    isEntra ? homeAccountID.normalised : homeAccountID.trimmed
  }

  /// Whether an account is another B2C policy's: then neither its tokens nor its refresh tokens are good here.
  ///
  /// B2C names the policy behind the object id, and every policy begins with `b2c_1`. Its name may have dots, a tenant's
  /// id has none.
  package func isOfAnotherPolicy(_ homeAccountID: String) -> Bool {
    guard case .b2c(_, let policy, _) = kind else { return false }
    guard let dot = homeAccountID.lastIndex(of: ".") else { return false }
    let uid = homeAccountID[..<dot]
    return uid.contains("-b2c_1") && !uid.hasSuffix("-" + policy)
  }

  /// The tenant in the address of where an authority led.
  private static func tenant(in result: String) -> String? {
    guard let segments = WebAddress(result)?.pathSegments else { return nil }
    return segments.first == "tfp" ? segments.dropFirst().first : segments.first
  }
}
