// SPDX-License-Identifier: MIT
// Parsing of members that several requests have: the scopes, and Intune's app-protection data.

import TesseraEngine
import TesseraWire

/// A request with scopes.
protocol ScopedMembers {
  var scopes: [String]? { get throws(TesseraError) }
  var resource: String? { get throws(TesseraError) }
}

extension DeviceCodeRequestMembers: ScopedMembers {}
extension SSOExtensionTokensMembers: ScopedMembers {}
extension SignInOptionsMembers: ScopedMembers {}
extension SilentOptionsMembers: ScopedMembers {}

extension ScopedMembers {
  /// Returns the requested scopes: `scopes`, or the default scope of `resource`.
  func requestedScopes() throws(TesseraError) -> [String] {
    switch (try scopes, try resource) {
    case (let scopes?, nil): return scopes
    case (nil, let resource?): return [Scopes.defaultScope(at: resource)]
    case (nil, nil):
      throw TesseraError(
        .fixRequest, .missingParameter, "The member \"scopes\" is missing.")
    case (.some, .some):
      throw TesseraError(
        .fixRequest, .invalidMember, "Pass either \"scopes\" or \"resource\", not both.")
    }
  }
}

/// A request with Intune's app-protection data.
protocol IntuneMembers {
  var intuneEnrollmentIDs: JSONObject? { get throws(TesseraError) }
  var intuneMAMResource: [String: String]? { get throws(TesseraError) }
}

extension AuthenticatorOptionsMembers: IntuneMembers {}
extension ConfigurationMembers: IntuneMembers {}
extension SSOExtensionTokenRequestMembers: IntuneMembers {}

extension IntuneMembers {
  /// Returns the app-protection data.
  ///
  /// - Throws: `fixRequest` if a member does not have the expected structure.
  func intune() throws(TesseraError) -> IntuneState {
    var intune = IntuneState()
    if let object = try intuneEnrollmentIDs {
      guard let enrollments = IntuneEnrollments(object) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"intune_enrollment_ids\" must be the object of the Intune library: {\"enrollment_ids\": [{…}]}."
        )
      }
      intune.enrollments = enrollments
    }
    intune.mamResources = try intuneMAMResource ?? [:]
    return intune
  }
}

extension StoreRequestMembers {
  /// Returns the timeout of a request without other members; nil if it is absent or the request is NULL.
  static func timeout(_ text: UnsafePointer<CChar>?) throws(TesseraError) -> Int64? {
    try StoreRequestMembers(text, isOptional: true).timeoutMilliseconds
  }
}
