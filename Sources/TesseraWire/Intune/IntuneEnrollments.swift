// SPDX-License-Identifier: MIT
// The enrolments that Intune's app protection has given to the people of a program.

/// The enrolments of the people of a program in Intune's app protection, as Intune's library on a phone hands them out.
///
/// They are a JSON object `{"enrollment_ids": [{"user_id", "oid", "tid", "home_account_id", "enrollment_id"}, …]}`. What
/// else is in it is passed on to brokers as it came (MSAL for Apple, `MSIDIntuneEnrollmentIdsCache`).
public struct IntuneEnrollments: Sendable, Hashable {
  private let document: JSONObject

  /// Reads the JSON text of Intune; nil for one that is not of that form.
  public init?(_ text: String) {
    guard let document = (try? JSONValue(parsing: text))?.object else { return nil }
    self.init(document)
  }

  /// The enrolments of a JSON object; nil for one that is not of that form.
  package init?(_ document: JSONObject) {
    guard let list = document["enrollment_ids"]?.array else { return nil }
    for element in list {
      guard let enrollment = element.object else { return nil }
      if let id = enrollment["enrollment_id"], id.string == nil { return nil }
    }
    self.document = document
  }

  /// The JSON text, as brokers want it.
  public var text: String { String(decoding: JSONValue.object(document).bytes, as: UTF8.self) }

  /// The enrolment of a person: by the account, else by the name, else the first one if neither is known.
  ///
  /// The order is that of MSAL for Apple.
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
