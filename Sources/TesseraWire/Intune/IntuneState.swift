// SPDX-License-Identifier: MIT
// The application's state in Intune app protection, and its representation in requests.

/// The application's state in Intune app protection; empty if the application does not use Intune.
public struct IntuneState: Sendable, Hashable {
  /// The enrollments of the application's users; nil if there are none.
  public var enrollments: IntuneEnrollments?
  /// The Intune service's resource by cloud host.
  ///
  /// For example, `["login.microsoftonline.com": "https://intunemam.microsoftonline.com"]`.
  public var mamResources: [String: String] = [:]

  /// Creates the state of an application that does not use Intune.
  public init() {}

  /// Whether the application is app-protected, which is the case if it has a resource of the Intune service (MSAL for Apple).
  ///
  /// Its access tokens are then cached in a separate partition. Each one is used only for the enrollment it was issued
  /// for.
  public var isProtected: Bool { !mamResources.isEmpty }

  /// The parameter `intune_enrollment_ids` for brokers; nil omits it.
  public var enrollmentIDsText: String? { enrollments?.text }

  /// The parameter `intune_mam_resource` for brokers; nil omits it.
  public var mamResourceText: String? {
    guard isProtected else { return nil }
    let members = mamResources.sorted { $0.key < $1.key }.map {
      ($0.key, JSONValue.string($0.value))
    }
    return String(decoding: JSONValue.object(JSONObject(members)).bytes, as: UTF8.self)
  }
}
