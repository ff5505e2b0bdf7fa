// SPDX-License-Identifier: MIT
// A process that writes a cache file of other libraries repeatedly, until it is killed.

import TesseraCache
import TesseraEngine
import TesseraMSALFile
import TesseraPlatform
import TesseraWire

extension LockUser {
  /// Stores a number of tokens, each of a separate account, and prints the account after each.
  ///
  /// The arguments are the number, and a prefix that no other process uses.
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
      printLine(owner)
    }
  }
}
