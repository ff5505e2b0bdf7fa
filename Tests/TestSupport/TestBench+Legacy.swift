// SPDX-License-Identifier: MIT
// Records of older libraries for users of the local provider, and their import into the store.

package import TesseraCache
package import TesseraEngine
import TesseraPlatform
package import TesseraTesting
import TesseraWire
import Testing

extension TestBench {
  /// Returns a silent request by user name, without an account ID.
  package func request(named user: LocalUser) -> SilentRequest {
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = user.username
    return request
  }

  /// Returns the record that ADAL stores for a user signed in to an application.
  package func legacyItem(
    _ user: LocalUser = .alice, client: String = "client",
    _ change: (inout LegacyItem) -> Void = { _ in }
  ) throws -> LegacyItem {
    let other = MemoryStore(time: clock)
    try signIn(application(client: client, store: other), as: user)
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let tokens = try other.snapshot(selection, within: .none).credentials
    let refresh = try #require(tokens.first { $0.type == .refreshToken })
    let identity = try #require(tokens.first { $0.type == .idToken })
    var item = LegacyItem(
      environment: refresh.environment, realm: "common", clientID: client, userID: user.username)
    item.refreshToken = refresh.secret
    item.claims = IDTokenClaims(try JSONWebToken(identity.secret))
    change(&item)
    return item
  }

  /// Imports items, as a migration does.
  package func importItems(_ items: LegacyItem...) throws {
    let steps = items.map { CacheChange.Step.legacy(name: $0.userID, .merge([$0])) }
    try store.commit(
      CacheChange([.recordImport("adal_python", at: Instant(secondsSince1970: 1))] + steps),
      within: .none)
  }
}
