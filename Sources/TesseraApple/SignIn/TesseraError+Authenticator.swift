// SPDX-License-Identifier: MIT
// Errors for error responses of Microsoft Authenticator, and for device requirements of a sign-in page.

import TesseraEngine
import TesseraWire

extension TesseraError {
  /// Creates the error for an error response of the broker.
  ///
  /// The error number determines the code if MSAL for Apple has one for it. If it only requires interaction, or is unknown,
  /// the OAuth error of the server determines the code.
  package init(_ errorResponse: AuthenticatorErrorResponse, correlationID: String) {
    let known = errorResponse.code
    if let known, known != .interactionRequired || errorResponse.error == nil {
      self.init(TesseraError.Code.remedies[known] ?? .signIn, known, errorResponse.message)
      oauthError = errorResponse.error
      suberror = errorResponse.suberror
      serverCodes = errorResponse.serverCodes
    } else if let serverError = errorResponse.serverError {
      self.init(serverError, correlationID: correlationID)
      causes = []
    } else {
      self.init(.signIn, .brokerFailed, errorResponse.message)
    }
    username = errorResponse.username
    homeAccountID = errorResponse.homeAccountID
    grantedScopes = errorResponse.grantedScopes.list
    declinedScopes = errorResponse.declinedScopes.list
    retryAfterSeconds = errorResponse.retryAfterSeconds
    self.correlationID = errorResponse.correlationID ?? correlationID
    if let status = errorResponse.status { causes = [TesseraError.Cause(status: status)] }
    if let number = errorResponse.number {
      causes.insert(TesseraError.Cause(.authenticator, number, errorResponse.details), at: 0)
    }
  }

  /// Creates the error for a device requirement that must be met before the sign-in.
  package init(_ prompt: DeviceRequirement) {
    switch prompt.kind {
    case .registration:
      self.init(
        .signIn, .workplaceJoinRequired,
        "The device must be registered with the organization first: open app_link, and sign in again after the registration."
      )
    case .upgrade:
      self.init(
        .signIn, .deviceUpgradeRequired,
        "The device must be registered again with hardware-backed keys: open app_link, and sign in again after the registration."
      )
    case .enrollmentCompleted:
      self.init(
        .signIn, .deviceEnrollmentCompleted,
        "The device was enrolled in device management during the sign-in: sign in again.")
    }
    username = prompt.username
    homeAccountID = prompt.homeAccountID
    appLink = prompt.appLink
    requiresTokenProtection = prompt.requiresTokenProtection
  }
}

extension AuthenticatorErrorResponse {
  /// The code of the error number; `nil` if it is unknown.
  fileprivate var code: TesseraError.Code? {
    guard let number else { return nil }
    switch domain {
    case "MSIDErrorDomain", "MSIDOAuthErrorDomain": return BrokerErrorTable.codes[number]
    case "NSURLErrorDomain": return .networkFailed
    default: return nil
    }
  }

  /// The OAuth error of the server; `nil` if there is none.
  fileprivate var serverError: ServerError? {
    ServerError(error, suberror: suberror, description: errorDescription)
  }

  /// The domain of the number, the description, and the version of the broker.
  fileprivate var details: String {
    (domain.map { "\($0): " } ?? "") + (errorDescription ?? "no description")
      + (brokerVersion.map { " (broker \($0))" } ?? "")
  }

  fileprivate var message: String {
    "The broker failed"
      + (errorDescription.map { ": \($0)" } ?? " without a description: sign in again.")
  }
}

extension RedirectResponse {
  /// The device requirement that the page returned instead of an authorization response; `nil` for none.
  func prompt(at redirectURI: String) -> DeviceRequirement? {
    guard case .address(let address) = response else { return nil }
    return DeviceRequirement(address.reveal(), redirectURI: redirectURI)
  }
}
