// SPDX-License-Identifier: MIT
// Where an item belongs, from the authority as a program named it.

import TesseraWire

extension LegacyItem {
  /// An item without tokens, of an authority such as `https://login.microsoftonline.com/common`.
  ///
  /// What is no address stays as it is: it is the name of no host, so that nobody is asked in its name.
  init(authority: String, clientID: String, userID: String) {
    let address = WebAddress(authority.trimmed)
    self.init(
      environment: address?.environment ?? authority, realm: address?.pathSegments.first ?? "",
      clientID: clientID, userID: userID)
    notes.append("authority", authority)
  }
}
