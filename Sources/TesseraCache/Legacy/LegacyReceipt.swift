// SPDX-License-Identifier: MIT
// What ADAL 2.7 stores of a token response: items of its own, and beside them what lets MSAL go on without a sign-in.

import TesseraWire

/// A token response of the older endpoint, with what both caches get of it.
package struct LegacyReceipt: Sendable {
  /// The response, as the unified cache would store it.
  package var receipt: TokenReceipt
  /// The tenant as the program named it.
  package var realm: String
  /// What the response says it is for; nil if it does not.
  package var resource: String?

  package init(_ receipt: TokenReceipt, realm: String, resource: String?) {
    self.receipt = receipt
    self.realm = realm
    self.resource = resource
  }

  /// Whether the refresh token is good for every resource: only then does the response name one.
  package var isMultiResource: Bool {
    resource?.nonBlank != nil && receipt.response.refreshToken != nil
  }

  /// The items of ADAL's cache.
  package var items: [LegacyItem] {
    let response = receipt.response
    var first = item(receipt.clientID)
    first.resource = resource?.nonBlank
    first.accessToken = response.accessToken
    first.expiresAt = response.expiresAt
    guard isMultiResource else {
      first.refreshToken = response.refreshToken
      return [first]
    }
    var items = [first]
    var shared = item(receipt.clientID)
    shared.refreshToken = response.refreshToken
    items.append(shared)
    if let familyID = response.familyID {
      shared.clientID = LegacyItem.clientID(ofFamily: familyID)
      items.append(shared)
    }
    return items
  }

  /// The change of the unified cache: refresh tokens and the account, but no token of the older endpoint.
  ///
  /// A refresh token for one resource is of no use to MSAL, and without `client_info` nobody knows whose it is.
  package var change: CacheChange {
    guard isMultiResource, receipt.response.clientInfo != nil else { return CacheChange() }
    var change = CacheChange(receipt.refreshTokens.map { .put(.credential($0)) })
    if let metadata = receipt.appMetadata { change.steps.append(.put(.appMetadata(metadata))) }
    change.steps.append(.mergeAccount(receipt.account))
    return change
  }

  private func item(_ clientID: String) -> LegacyItem {
    let claims = receipt.claims
    var item = LegacyItem(
      environment: receipt.environment, realm: realm, clientID: clientID,
      userID: claims.map(LegacyItem.userID) ?? "")
    item.familyID = receipt.response.familyID
    item.claims = claims
    item.homeAccountID = receipt.response.clientInfo == nil ? nil : receipt.identity.homeAccountID
    return item
  }
}
