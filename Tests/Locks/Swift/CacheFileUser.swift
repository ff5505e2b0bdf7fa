// SPDX-License-Identifier: MIT
// A process that writes a cache file of other libraries again and again, until somebody kills it.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire

extension LockUser {
  /// Stores so many tokens, each of a person of its own, and says after each whose it was.
  ///
  /// The arguments are the number, and one under which nobody else stores.
  static func writeCache(_ path: String, _ arguments: [String]) throws {
    let count = Int(arguments.first ?? "") ?? 1
    let name = arguments.last ?? ""
    let store = MSALFileStore(.file(path), time: SystemTime())
    for number in 0..<count {
      let owner = "\(name)-\(number)"
      var token = CredentialRecord(type: .refreshToken, secret: Secret("secret of \(owner)"))
      token.homeAccountID = owner
      token.environment = "issuer.example"
      token.clientID = "client"
      try store.commit(CacheChange([.put(.credential(token))]), within: .none)
      say(owner)
    }
  }
}
