// SPDX-License-Identifier: MIT
// What a failed call of the single sign-on extension means: from Apple's numbers and the broker's to a remedy and a code.

import TesseraWire

/// Why a call of the extension failed, as the host's `authorizationController(controller:didCompleteWithError:)` is told.
public struct SSOExtensionFailure: Sendable, Hashable {
  /// An `NSError` as numbers and texts.
  public struct Fault: Sendable, Hashable {
    /// The domain, such as `com.apple.AuthenticationServices.AuthorizationError` or `MSIDErrorDomain`.
    public var domain: String
    /// The number.
    public var code: Int64
    /// What it means, for a developer (`localizedDescription`).
    public var message: String?
    /// The members of `userInfo` that are texts, such as `MSIDOAuthErrorKey`.
    public var details: [String: String] = [:]

    /// A fault of a domain.
    public init(domain: String, code: Int64) {
      self.domain = domain
      self.code = code
    }
  }

  /// The error itself.
  public var fault: Fault
  /// The broker's own error, which Apple's carries (`NSUnderlyingErrorKey`); nil for none.
  public var underlying: Fault?

  /// A failure, with what led to it.
  public init(_ fault: Fault, underlying: Fault? = nil) {
    self.fault = fault
    self.underlying = underlying
  }
}

extension SSOExtensionFailure {
  /// What an application does about it (MSAL for Apple, `MSIDSSOExtensionRequestDelegate`).
  public var error: TesseraError {
    guard fault.domain == SSOExtensionFailure.appleDomain else { return fault.error }
    switch fault.code {
    // MSIDSSOExtensionUnderlyingError: the number says only that the broker's own error is inside.
    case -6000:
      return underlying?.error
        ?? TesseraError(
          .signIn, .brokerResponseCorrupted,
          "The single sign-on extension failed, and lost the error that says why.")
    // ASAuthorizationError.canceled and .notInteractive
    case 1001:
      return TesseraError(.cancelled, .accessDenied, "The person closed the broker's page.")
    case 1005:
      return TesseraError(
        .signIn, .interactionRequired, "The single sign-on extension has to show its page.")
    default: return fault.error
    }
  }

  private static let appleDomain = "com.apple.AuthenticationServices.AuthorizationError"
}

extension SSOExtensionFailure.Fault {
  /// What the broker's error means; its words say more than its number.
  fileprivate var error: TesseraError {
    var error = TesseraError(.signIn, .ssoExtensionFailed, text)
    if domain.hasPrefix("MSID"), let known = known { error = known }
    error.username = details["MSIDUserDisplayableIdkey"]?.plain(atMost: 200).nonBlank
    error.homeAccountID = details["MSIDHomeAccountIdkey"]?.plain(atMost: 200).nonBlank
    error.correlationID = details["MSIDCorrelationIdKey"]?.plain(atMost: 200).nonBlank
    error.grantedScopes = scopes("MSIDGrantedScopesKey")
    error.declinedScopes = scopes("MSIDDeclinedScopesKey")
    error.causes = [ErrorCause(.broker, code, "\(domain): \(message ?? "no words")")]
    return error
  }

  private var known: TesseraError? {
    let code = BrokerNumbers.codes[code]
    guard
      let refusal = ServerError(
        details["MSIDOAuthErrorKey"], suberror: details["MSIDOAuthSubErrorKey"],
        description: details["MSIDErrorDescriptionKey"] ?? message)
    else {
      return code.map { TesseraError(ErrorCode.remedies[$0] ?? .signIn, $0, text) }
    }
    var error = TesseraError(refusal, correlationID: nil)
    // The status is none that a server said.
    error.causes = []
    // Two situations that the server's first word does not tell from others.
    if let code, [.protectionPolicyRequired, .serverDeclinedScopes].contains(code) {
      error.code = code
      error.remedy = ErrorCode.remedies[code] ?? .signIn
    }
    return error
  }

  private var text: String {
    "The single sign-on extension failed with \(code) of \(domain)"
      + ((details["MSIDErrorDescriptionKey"] ?? message).map { ": \($0)" } ?? ".")
  }

  /// Scopes that the broker lists, with spaces or commas between them.
  private func scopes(_ name: String) -> [String] {
    let text = details[name] ?? ""
    return Scopes(text.split { " ,\n".contains($0) }.prefix(Scopes.limit).map(String.init)).list
  }
}
