// SPDX-License-Identifier: MIT
// The family of an application in each cloud.

import TesseraCache
import TesseraWire

/// The token family of an application in each cloud.
///
/// The application may redeem refresh tokens of its family.
struct ApplicationFamilies {
  /// The family ID by environment.
  ///
  /// The value is `nil` if the server reported that the application has no family.
  private var known: [ExactString: String?] = [:]

  /// Reads the families of an application from the app metadata in a snapshot.
  init(of clientID: String, in snapshot: CacheSnapshot) {
    for record in snapshot.appMetadata where record.clientID.normalised == clientID.normalised {
      known.updateValue(
        record.familyID.nonBlank,
        forKey: ExactString(AccountKey.environment(record.environment)))
    }
  }

  /// Creates a value without app metadata.
  init() {}

  /// Returns the application's family in the cloud of an environment; `nil` for none.
  ///
  /// Without app metadata, the application may be in family 1, the only existing one (MSAL for Apple).
  func family(in environment: String) -> String? {
    known[AccountKey.environment(environment)] ?? "1"
  }
}
