// SPDX-License-Identifier: MIT
// Addresses with which a page of Entra does not end a sign-in, but asks for the device first.

/// What a page wants of the device before the person may sign in.
package struct BrokerPrompt: Sendable, Hashable {
  /// What it wants.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// The device has to be registered with the organization, by a program that `app_link` leads to.
    case registration
    /// It has to be registered anew, with keys in hardware.
    case upgrade
    /// It was enrolled in management meanwhile, and the sign-in begins again.
    case enrollmentCompleted
  }

  /// What it wants.
  package let kind: Kind
  /// Whose device it is to be.
  package let username: String?
  /// The account of that person.
  package let homeAccountID: String?
  /// Where the program is that registers devices: an address that anybody can have made.
  package let appLink: String?
  /// Whether only tokens that are bound to the device will do.
  package let requiresTokenProtection: Bool

  /// Recognises an address; nil for every other one.
  ///
  /// In a web view it is `msauth://wpj?…`, in a browser `[redirect URI]/msauth/wpj?…` (MSAL for Apple, `MSIDWebWPJResponse`).
  package init?(_ address: String, redirectURI: String) {
    guard address.utf8.count <= BrokerPrompt.limit else { return nil }
    let place = address.prefix { $0 != "?" && $0 != "#" }
    guard let kind = BrokerPrompt.kind(of: String(place), redirectURI) else { return nil }
    let fields = AuthenticatorFields(of: address)
    self.kind = kind
    username = fields["username"]?.plain(atMost: 200).nonBlank
    homeAccountID = fields["client_info"].flatMap { try? ClientInfo($0) }?.homeAccountID
    appLink = fields["app_link"].flatMap(BrokerPrompt.link)
    requiresTokenProtection = fields["token_protection_required"] == "true"
  }

  /// The longest address that is read.
  private static let limit = 65_536
  private static let names: [String: Kind] = [
    "wpj": .registration, "upgradereg": .upgrade,
    "in_app_enrollment_complete": .enrollmentCompleted,
  ]

  private static func kind(of place: String, _ redirectURI: String) -> Kind? {
    let scheme = "msauth://"
    if place.lowercased().hasPrefix(scheme) {
      let host = place.dropFirst(scheme.count).prefix { $0 != "/" }
      return names[host.lowercased()]
    }
    var base = redirectURI.prefix { $0 != "?" }.lowercased()
    if base.hasSuffix("/") { base.removeLast() }
    let start = base + "/msauth/"
    guard place.lowercased().hasPrefix(start) else { return nil }
    let kind = names[place.dropFirst(start.count).lowercased()]
    return kind == .enrollmentCompleted ? nil : kind
  }

  /// A link that a person may be shown: to the web, or to Apple's store of programs.
  private static func link(_ text: String) -> String? {
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      ["https://", "itms-apps://", "itms-appss://"].contains(where: text.lowercased().hasPrefix)
    else { return nil }
    return text
  }
}
