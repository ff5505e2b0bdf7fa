// SPDX-License-Identifier: MIT
// The mapping of failures of the single sign-on extension to remedies and codes.

public import TesseraEngine
import TesseraWire

/// A failure of the extension, as passed to `authorizationController(controller:didCompleteWithError:)`.
public struct SSOExtensionFailure: Sendable, Hashable {
  /// The contents of an `NSError`.
  public struct Fault: Sendable, Hashable {
    /// The domain, such as `com.apple.AuthenticationServices.AuthorizationError` or `MSIDErrorDomain`.
    public var domain: String
    /// The error number.
    public var code: Int64
    /// The description for developers (`localizedDescription`).
    public var message: String?
    /// The members of `userInfo` that are strings, such as `MSIDOAuthErrorKey`.
    public var details: [String: String] = [:]

    /// Creates an error of a domain.
    public init(domain: String, code: Int64) {
      self.domain = domain
      self.code = code
    }
  }

  /// The error.
  public var fault: Fault
  /// The underlying error of the broker (`NSUnderlyingErrorKey`); `nil` for none.
  public var underlying: Fault?

  /// Creates a failure with its underlying error.
  public init(_ fault: Fault, underlying: Fault? = nil) {
    self.fault = fault
    self.underlying = underlying
  }
}

extension SSOExtensionFailure {
  /// The corresponding error (MSAL for Apple, `MSIDSSOExtensionRequestDelegate`).
  public var error: TesseraError {
    guard fault.domain == SSOExtensionFailure.appleDomain else { return fault.error }
    switch fault.code {
    // MSIDSSOExtensionUnderlyingError: the error is the underlying one.
    case -6000:
      return underlying?.error
        ?? TesseraError(
          .signIn, .brokerResponseCorrupted,
          "The single sign-on extension failed, and its underlying error is missing: sign in again."
        )
    // ASAuthorizationError.canceled and .notInteractive
    case 1001:
      return TesseraError(
        .cancelled, .accessDenied, "The user closed the sign-in page of the broker.")
    case 1005:
      return TesseraError(
        .signIn, .interactionRequired,
        "The single sign-on extension requires user interaction: sign in interactively.")
    default: return fault.error
    }
  }

  private static let appleDomain = "com.apple.AuthenticationServices.AuthorizationError"
}

extension SSOExtensionFailure.Fault {
  /// The corresponding error of a broker error.
  ///
  /// The OAuth error of the server takes precedence over the number.
  fileprivate var error: TesseraError {
    var error = TesseraError(.signIn, .ssoExtensionFailed, text)
    if domain.hasPrefix("MSID"), let known = known { error = known }
    error.username = details["MSIDUserDisplayableIdkey"]?.plain(atMost: 200).nonBlank
    error.homeAccountID = details["MSIDHomeAccountIdkey"]?.plain(atMost: 200).nonBlank
    error.correlationID = details["MSIDCorrelationIdKey"]?.plain(atMost: 200).nonBlank
    error.grantedScopes = scopes("MSIDGrantedScopesKey")
    error.declinedScopes = scopes("MSIDDeclinedScopesKey")
    error.causes = [TesseraError.Cause(.broker, code, "\(domain): \(message ?? "no description")")]
    return error
  }

  private var known: TesseraError? {
    let code = BrokerErrorTable.codes[code]
    guard
      let errorResponse = ServerError(
        details["MSIDOAuthErrorKey"], suberror: details["MSIDOAuthSubErrorKey"],
        description: details["MSIDErrorDescriptionKey"] ?? message)
    else {
      return code.map { TesseraError(TesseraError.Code.remedies[$0] ?? .signIn, $0, text) }
    }
    var error = TesseraError(errorResponse, correlationID: nil)
    // The error did not come with an HTTP status.
    error.causes = []
    // Two cases that the server's `error` value does not distinguish from others.
    if let code, [.protectionPolicyRequired, .serverDeclinedScopes].contains(code) {
      error.code = code
      error.remedy = TesseraError.Code.remedies[code] ?? .signIn
    }
    return error
  }

  private var text: String {
    "The single sign-on extension failed with error \(code) (\(domain))"
      + ((details["MSIDErrorDescriptionKey"] ?? message).map { ": \($0)" } ?? ".")
  }

  /// Parses the scopes of a member, which are separated by spaces or commas.
  private func scopes(_ name: String) -> [String] {
    let text = details[name] ?? ""
    return Scopes(text.split { " ,\n".contains($0) }.prefix(Scopes.limit).map(String.init)).list
  }
}
