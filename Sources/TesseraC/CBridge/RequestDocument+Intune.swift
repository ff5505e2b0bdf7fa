// SPDX-License-Identifier: MIT
// What Intune's app protection has told a program, as configurations and requests have it.

import TesseraEngine
import TesseraWire

extension RequestDocument {
  /// What Intune has told the program: `intune_enrollment_ids` and `intune_mam_resource`.
  func intune() throws(TesseraError) -> IntuneState {
    var intune = IntuneState()
    if let value = value("intune_enrollment_ids") {
      guard let enrollments = value.object.flatMap({ IntuneEnrollments($0) }) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"intune_enrollment_ids\" must be the object of Intune's library: {\"enrollment_ids\": [{…}]}."
        )
      }
      intune.enrollments = enrollments
    }
    intune.mamResources = try texts("intune_mam_resource") ?? [:]
    return intune
  }
}
