// SPDX-License-Identifier: MIT
// The next step of a user of the command line after an error.

import Tessera

extension TesseraError {
  /// Returns the next step; nil if there is none, or if the printed message already names an option.
  func nextStep(after message: String, login: String?) -> String? {
    switch remedy {
    case .signIn:
      NextSteps.codes[code] ?? "Run: \(login ?? "tessera login")"
    case .retryLater:
      retryAfter.map { "Try again in \($0.components.seconds) seconds." }
        ?? NextSteps.codes[code] ?? "Try again in a moment."
    case .fixRequest, .fixConfiguration, .fixStorage, .cancelled:
      message.contains("--") ? nil : NextSteps.codes[code]
    case .reportBug: "This is a bug in Tessera. Report it, including this message."
    }
  }
}
