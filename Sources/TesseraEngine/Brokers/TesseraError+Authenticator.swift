// SPDX-License-Identifier: MIT
// What a refusal of Microsoft Authenticator means for the application, and what a page wants of the device.

package import TesseraWire

extension TesseraError {
  /// What a refusal of a broker means.
  ///
  /// Its number says it, where MSAL for Apple has one; one that only says that the person is wanted leaves the reason to the
  /// words of the server, and so does one that nobody knows.
  package init(_ refusal: AuthenticatorRefusal, correlationID: String) {
    let known = refusal.code
    if let known, known != .interactionRequired || refusal.error == nil {
      self.init(ErrorCode.remedies[known] ?? .signIn, known, refusal.message)
      oauthError = refusal.error
      suberror = refusal.suberror
      serverCodes = refusal.serverCodes
    } else if let words = refusal.words {
      self.init(words, correlationID: correlationID)
      causes = []
    } else {
      self.init(.signIn, .brokerFailed, refusal.message)
    }
    username = refusal.username
    homeAccountID = refusal.homeAccountID
    grantedScopes = refusal.grantedScopes.list
    declinedScopes = refusal.declinedScopes.list
    retryAfterSeconds = refusal.retryAfterSeconds
    self.correlationID = refusal.correlationID ?? correlationID
    if let status = refusal.status { causes = [ErrorCause(status: status)] }
    if let number = refusal.number {
      causes.insert(ErrorCause(.authenticator, number, refusal.circumstances), at: 0)
    }
  }

  /// What a page wants of the device before the person may sign in.
  package init(_ prompt: BrokerPrompt) {
    switch prompt.kind {
    case .registration:
      self.init(
        .signIn, .workplaceJoinRequired,
        "The organization wants this device registered first: have the person do that, and sign in again."
      )
    case .upgrade:
      self.init(
        .signIn, .deviceUpgradeRequired,
        "The organization wants this device registered anew, with keys in hardware.")
    case .enrollmentCompleted:
      self.init(
        .signIn, .deviceEnrollmentCompleted,
        "The device was enrolled in management meanwhile: sign in again.")
    }
    username = prompt.username
    homeAccountID = prompt.homeAccountID
    appLink = prompt.appLink
    requiresTokenProtection = prompt.requiresTokenProtection
  }
}

extension AuthenticatorRefusal {
  /// The code of its number.
  fileprivate var code: ErrorCode? {
    guard let number else { return nil }
    switch domain {
    case "MSIDErrorDomain", "MSIDOAuthErrorDomain": return BrokerNumbers.codes[number]
    case "NSURLErrorDomain": return .networkFailed
    default: return nil
    }
  }

  /// What the server said, as it would say it to us; nil if it said nothing.
  fileprivate var words: ServerError? {
    ServerError(error, suberror: suberror, description: errorDescription)
  }

  /// Whose number it is, what it says, and which broker says it.
  fileprivate var circumstances: String {
    (domain.map { "\($0): " } ?? "") + (errorDescription ?? "no description")
      + (brokerVersion.map { " (broker \($0))" } ?? "")
  }

  fileprivate var message: String {
    "The broker failed" + (errorDescription.map { ": \($0)" } ?? ", and did not say why.")
  }
}

extension RedirectResponse {
  /// What the page wants of the device, if that is what came instead of an answer.
  func prompt(at redirectURI: String) -> BrokerPrompt? {
    guard case .address(let address) = answer else { return nil }
    return BrokerPrompt(address.reveal(), redirectURI: redirectURI)
  }
}
