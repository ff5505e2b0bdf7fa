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

extension IntuneState {
  /// Reads the app-protection data of a configuration.
  init(_ members: IntuneOptionsMembers) throws(TesseraError) {
    try self.init(members.enrollmentIDs, members.mamResource, "intune.enrollment_ids")
  }

  /// Reads the app-protection data of a request to Microsoft Authenticator.
  init(_ members: AuthenticatorOptionsMembers) throws(TesseraError) {
    try self.init(
      members.intuneEnrollmentIDs, members.intuneMAMResource, "authenticator.intune_enrollment_ids")
  }

  /// Creates the state from two members.
  ///
  /// - Throws: `fixRequest` if the enrollments do not have the expected structure.
  init(
    _ enrollments: JSONObject?, _ resources: [String: String]?, _ name: String
  ) throws(TesseraError) {
    self.init()
    if let enrollments {
      guard let enrollments = IntuneEnrollments(enrollments) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"\(name)\" must be the object of the Intune library: {\"enrollment_ids\": [{…}]}.")
      }
      self.enrollments = enrollments
    }
    mamResources = resources ?? [:]
  }
}

extension StoreRequestMembers {
  /// Returns the timeout of a request without other members; nil if it is absent or the request is NULL.
  static func timeout(_ text: UnsafePointer<CChar>?) throws(TesseraError) -> Duration? {
    try StoreRequestMembers(text, isOptional: true).timeout
  }
}
