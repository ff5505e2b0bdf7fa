// SPDX-License-Identifier: MIT
// The service principals of applications.

import Crypto
import TesseraWire

/// An application that has tokens for itself, without a user.
struct ServicePrincipal: Sendable, Hashable {
  /// The client ID of the application.
  let clientID: String
  /// The claim `roles` of its tokens.
  var roles: [String] = []

  /// Returns the object ID in a tenant; each tenant has a separate service principal of the application.
  func objectID(in tenant: Tenant) -> String {
    let text = "service principal \(clientID)@\(tenant.id)"
    return UUIDText.make(SHA256.hash(data: Array(text.utf8)).prefix(16))
  }
}
