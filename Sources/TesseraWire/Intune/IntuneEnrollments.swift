// SPDX-License-Identifier: MIT
// The Intune app-protection enrollments of an application's users.

/// The Intune app-protection enrollments of an application's users, as returned by the Intune SDK on a phone.
///
/// They are a JSON object `{"enrollment_ids": [{"user_id", "oid", "tid", "home_account_id", "enrollment_id"}, …]}`.
/// Other members are passed to brokers unchanged (MSAL for Apple, `MSIDIntuneEnrollmentIdsCache`).
public struct IntuneEnrollments: Sendable, Hashable {
  private let document: JSONObject

  /// Parses the JSON text from Intune; nil if it does not have this form.
  public init?(_ text: String) {
    guard let document = (try? JSONValue(parsing: text))?.object else { return nil }
    self.init(document)
  }

  /// Reads the enrollments from a JSON object; nil if it does not have this form.
  package init?(_ document: JSONObject) {
    guard let list = document["enrollment_ids"]?.array else { return nil }
    for element in list {
      guard let enrollment = element.object else { return nil }
      if let id = enrollment["enrollment_id"], id.string == nil { return nil }
    }
    self.document = document
  }

  /// The JSON text, as sent to brokers.
  public var text: String { String(decoding: JSONValue.object(document).bytes, as: UTF8.self) }

  /// Returns the enrollment ID for the account ID, or else for the user name.
  ///
  /// Without both, returns the first one. The order is that of MSAL for Apple. Returns nil if no entry matches.
  package func id(homeAccountID: String?, username: String?) -> String? {
    let (home, name) = (homeAccountID?.nonBlank, username?.nonBlank)
    guard home != nil || name != nil else { return list.first?["enrollment_id"]?.string?.nonBlank }
    return id(with: "home_account_id", home) ?? id(with: "user_id", name)
  }

  private func id(with member: String, _ wanted: String?) -> String? {
    guard let wanted = wanted?.normalised else { return nil }
    let found = list.first { $0[member]?.string?.normalised == wanted }
    return found?["enrollment_id"]?.string?.nonBlank
  }

  private var list: [JSONObject] {
    (document["enrollment_ids"]?.array ?? []).compactMap(\.object)
  }
}
