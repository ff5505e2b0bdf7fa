// SPDX-License-Identifier: MIT
// What Intune's app protection has told a program, and what servers and brokers are told of it.

/// What Intune's app protection has told a program; empty for one that knows nothing of Intune.
public struct IntuneState: Sendable, Hashable {
  /// The enrolments of the people of the program; nil for none.
  public var enrollments: IntuneEnrollments?
  /// The resource of Intune's service for each cloud, by the cloud's host, such as
  /// `["login.microsoftonline.com": "https://intunemam.microsoftonline.com"]`.
  public var mamResources: [String: String] = [:]

  /// A program that knows nothing of Intune.
  public init() {}

  /// Whether the program takes part in app protection: it has the service's resource (MSAL for Apple).
  ///
  /// Its access tokens are then kept apart from those of other programs, and used for the enrolment alone that they
  /// were given for.
  public var isProtected: Bool { !mamResources.isEmpty }

  /// `intune_enrollment_ids`, as brokers want it; nil to leave it out.
  public var enrollmentIDsText: String? { enrollments?.text }

  /// `intune_mam_resource`, as brokers want it; nil to leave it out.
  public var mamResourceText: String? {
    guard isProtected else { return nil }
    let members = mamResources.sorted { $0.key < $1.key }.map {
      ($0.key, JSONValue.string($0.value))
    }
    return String(decoding: JSONValue.object(JSONObject(members)).bytes, as: UTF8.self)
  }
}

extension AuthenticatorOptions {
  /// The options, with what Intune has told the program where they do not say it.
  package func completed(by intune: IntuneState) -> AuthenticatorOptions {
    var options = self
    options.intune.enrollments = options.intune.enrollments ?? intune.enrollments
    if !options.intune.isProtected { options.intune.mamResources = intune.mamResources }
    return options
  }
}
