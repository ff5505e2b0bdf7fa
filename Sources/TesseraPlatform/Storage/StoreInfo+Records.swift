// SPDX-License-Identifier: MIT
// Parts of the information about a store that several stores share.

package import TesseraCache
package import TesseraEngine

extension StoreInfo.Records {
  /// Counts records.
  package init(_ records: [CacheRecord]) {
    self.init()
    for record in records {
      switch record {
      case .account: accounts += 1
      case .credential(let token) where token.type.isAccessToken: accessTokens += 1
      case .credential(let token) where token.type.isRefreshToken: refreshTokens += 1
      case .credential: idTokens += 1
      default: others += 1
      }
    }
  }
}

extension StoreInfo.Protection {
  /// Creates the protection by a key from a source; nil for an unencrypted store.
  package init(keySource: String?) {
    self =
      switch keySource {
      case nil: .plaintext
      case KeySource.keyFile.rawValue: .obfuscated
      default: .encrypted
      }
  }
}
