// SPDX-License-Identifier: MIT
// The family of an application in each cloud.

import TesseraCache
import TesseraWire

/// The families whose refresh tokens an application may use, cloud by cloud.
struct ApplicationFamilies {
  /// By the cloud's environment, where its server has spoken of the application; nil there for none.
  private var known: [String: String?] = [:]

  /// What the servers said of an application, out of a snapshot.
  init(of clientID: String, in snapshot: CacheSnapshot) {
    for record in snapshot.appMetadata where record.clientID.normalised == clientID.normalised {
      known.updateValue(
        record.familyID.nonBlank, forKey: AccountPerson.environment(record.environment))
    }
  }

  /// Servers that have said nothing.
  init() {}

  /// The family in the cloud of an environment; nil for none.
  ///
  /// Without a word of the server the application may be in family 1, the only one there is (MSAL for Apple).
  func family(in environment: String) -> String? {
    known[AccountPerson.environment(environment)] ?? "1"
  }
}
