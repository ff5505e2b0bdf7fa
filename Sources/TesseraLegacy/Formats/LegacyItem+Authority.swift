// SPDX-License-Identifier: MIT
// Creation of an item from the authority that the application configured.

import TesseraCache
import TesseraWire

extension LegacyItem {
  /// Creates an item without tokens for an authority such as `https://login.microsoftonline.com/common`.
  ///
  /// An invalid URL is stored unchanged as the environment. It matches no host, so that no request is sent for the
  /// item.
  init(authority: String, clientID: String, userID: String) {
    let address = WebURL(authority.trimmed)
    self.init(
      environment: address?.environment ?? authority, realm: address?.pathSegments.first ?? "",
      clientID: clientID, userID: userID)
    extraMembers.append("authority", authority)
  }
}
