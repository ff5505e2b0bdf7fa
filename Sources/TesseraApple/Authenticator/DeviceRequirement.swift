// SPDX-License-Identifier: MIT
// Redirects of Entra's sign-in page that do not end the sign-in, but require a registered or enrolled device first.

import TesseraWire

/// A device requirement that the user must meet before the sign-in can continue.
package struct DeviceRequirement: Sendable, Hashable {
  /// The kind of requirement.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// The device must be registered with the organization, with the application at `app_link`.
    case registration
    /// The device must be registered again, with hardware-bound keys.
    case upgrade
    /// The device is now enrolled in device management.
    ///
    /// The sign-in must be restarted.
    case enrollmentCompleted
  }

  /// The kind of requirement.
  package let kind: Kind
  /// The user name of the account that the device must be registered for.
  package let username: String?
  /// The home account ID of that account.
  package let homeAccountID: String?
  /// The link to the application that registers devices.
  ///
  /// It is not authenticated: an attacker can create such a redirect.
  package let appLink: String?
  /// Whether only device-bound tokens are accepted.
  package let requiresTokenProtection: Bool

  /// Parses a redirect; nil if it is not a device requirement.
  ///
  /// It is `msauth://wpj?…` in a web view and `[redirect URI]/msauth/wpj?…` in a browser (MSAL for Apple,
  /// `MSIDWebWPJResponse`).
  package init?(_ address: String, redirectURI: String) {
    guard address.utf8.count <= DeviceRequirement.limit else { return nil }
    let addressPrefix = address.prefix { $0 != "?" && $0 != "#" }
    guard let kind = DeviceRequirement.kind(of: String(addressPrefix), redirectURI) else {
      return nil
    }
    let fields = AuthenticatorFields(of: address)
    self.kind = kind
    username = fields["username"]?.plain(atMost: 200).nonBlank
    homeAccountID = fields["client_info"].flatMap { try? ClientInfo($0) }?.homeAccountID
    appLink = fields["app_link"].flatMap(DeviceRequirement.link)
    requiresTokenProtection = fields["token_protection_required"] == "true"
  }

  /// The maximum size of a redirect URL, in bytes.
  private static let limit = 65_536
  private static let names: [String: Kind] = [
    "wpj": .registration, "upgradereg": .upgrade,
    "in_app_enrollment_complete": .enrollmentCompleted,
  ]

  private static func kind(of addressPrefix: String, _ redirectURI: String) -> Kind? {
    let scheme = "msauth://"
    if addressPrefix.lowercased().hasPrefix(scheme) {
      let host = addressPrefix.dropFirst(scheme.count).prefix { $0 != "/" }
      return names[host.lowercased()]
    }
    var base = redirectURI.prefix { $0 != "?" }.lowercased()
    if base.hasSuffix("/") { base.removeLast() }
    let start = base + "/msauth/"
    guard addressPrefix.lowercased().hasPrefix(start) else { return nil }
    let kind = names[addressPrefix.dropFirst(start.count).lowercased()]
    return kind == .enrollmentCompleted ? nil : kind
  }

  /// Returns the link if it is safe to show to the user: an https URL or a link to Apple's App Store.
  ///
  /// Otherwise nil.
  private static func link(_ text: String) -> String? {
    guard text.utf8.count <= 2000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      ["https://", "itms-apps://", "itms-appss://"].contains(where: text.lowercased().hasPrefix)
    else { return nil }
    return text
  }
}
