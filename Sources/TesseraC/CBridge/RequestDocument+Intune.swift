// SPDX-License-Identifier: MIT
// Parsing of Intune's app-protection data, which configurations and requests contain.

import TesseraEngine
import TesseraWire

extension RequestDocument {
  /// Reads the app-protection data of Intune: `intune_enrollment_ids` and `intune_mam_resource`.
  ///
  /// - Throws: `fixRequest` if a member does not have the expected structure.
  func intune() throws(TesseraError) -> IntuneState {
    var intune = IntuneState()
    if let value = value("intune_enrollment_ids") {
      guard let enrollments = value.object.flatMap({ IntuneEnrollments($0) }) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"intune_enrollment_ids\" must be the object of the Intune library: {\"enrollment_ids\": [{…}]}."
        )
      }
      intune.enrollments = enrollments
    }
    intune.mamResources = try stringDictionary("intune_mam_resource") ?? [:]
    return intune
  }
}
