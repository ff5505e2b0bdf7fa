// SPDX-License-Identifier: MIT
// The keychain attributes of an ADAL for Apple item, some of which a query may omit.

package import TesseraCache
import TesseraWire

/// The parts of an ADAL item's key.
///
/// A query omits parts by leaving them `nil`. A `nil` or blank resource is that of a multi-resource token.
package struct LegacyKeyParts: Sendable, Hashable {
  /// The platform, which determines the encoding of the user name in the account attribute.
  package enum System: Sendable {
    /// The user name is base64url-encoded.
    case iOS
    /// The user name is plain text.
    case macOS
  }

  package var authority: String?
  package var resource: String?
  package var clientID: String?
  package var userID: String?
  /// The cache partition of an application, which ADAL 2.7 and later may set.
  package var applicationIdentifier: String?

  /// Creates a key without parts.
  package init() {}

  /// Creates the key of an item.
  package init(_ item: LegacyItem) {
    authority = item.authority
    resource = item.resource
    clientID = item.clientID
    userID = item.userID
    applicationIdentifier = item.extraMembers["applicationIdentifier"]?.string
  }

  /// The service attribute: authority, resource and client ID.
  ///
  /// It is `nil` if the authority or the client ID is missing.
  package var service: String? {
    guard let authority, let clientID else { return nil }
    let encode = { (text: String) in Base64URL.encode(text.normalised.utf8) }
    let partition = applicationIdentifier?.nonBlank.map { "-" + Base64URL.encode($0.utf8) } ?? ""
    let resource = resource?.nonBlank.map(encode) ?? LegacyKeyParts.noResource
    return [LegacyKeyParts.library + partition, encode(authority), resource, encode(clientID)]
      .joined(separator: "|")
  }

  /// Returns the account attribute, or `nil` if the user name is missing.
  ///
  /// An empty user name is encoded as empty.
  package func account(on system: System) -> String? {
    switch system {
    case .iOS: userID.map { Base64URL.encode($0.normalised.utf8) }
    case .macOS: userID?.normalised
    }
  }

  /// The generic attribute of every item.
  package static let library = "MSOpenTech.ADAL.1"
  /// The placeholder for no resource.
  package static let noResource = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"
}

extension LegacyItem {
  /// The authority with the spelling of ADAL.
  package var authority: String {
    environment.hasPrefix("http://")
      ? "\(environment)/\(realm)" : "https://\(environment)/\(realm)"
  }
}
