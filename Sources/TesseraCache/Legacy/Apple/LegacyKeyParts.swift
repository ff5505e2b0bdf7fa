// SPDX-License-Identifier: MIT
// The attributes under which ADAL for Apple keeps an item in a keychain; a query leaves some of them open.

import TesseraWire

/// The parts of the key of an item of ADAL's cache.
///
/// Nil leaves a part out, as a query does; a resource that is nil or blank is that of a token for all resources.
package struct LegacyKeyParts: Sendable, Hashable {
  /// How a person is named in the account attribute.
  package enum System: Sendable {
    /// As base64url.
    case iOS
    /// As they are.
    case macOS
  }

  package var authority: String?
  package var resource: String?
  package var clientID: String?
  package var userID: String?
  /// The partition of one program; ADAL 2.7 and later may have one.
  package var applicationIdentifier: String?

  /// A key without parts.
  package init() {}

  /// The key of an item.
  package init(_ item: LegacyItem) {
    authority = item.authority
    resource = item.resource
    clientID = item.clientID
    userID = item.userID
    applicationIdentifier = item.notes["applicationIdentifier"]?.string
  }

  /// Authority, resource and application; nil when one of them is open.
  package var service: String? {
    guard let authority, let clientID else { return nil }
    let encode = { (text: String) in Base64URL.encode(text.normalised.utf8) }
    let partition = applicationIdentifier?.nonBlank.map { "-" + Base64URL.encode($0.utf8) } ?? ""
    let resource = resource?.nonBlank.map(encode) ?? LegacyKeyParts.noResource
    return [LegacyKeyParts.library + partition, encode(authority), resource, encode(clientID)]
      .joined(separator: "|")
  }

  /// The person; nil when it is open, and empty for a person without a name.
  package func account(on system: System) -> String? {
    switch system {
    case .iOS: userID.map { Base64URL.encode($0.normalised.utf8) }
    case .macOS: userID?.normalised
    }
  }

  /// The generic attribute of every item.
  package static let library = "MSOpenTech.ADAL.1"
  /// What stands for no resource.
  package static let noResource = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"
}

extension LegacyItem {
  /// The authority as ADAL spells it.
  package var authority: String {
    environment.hasPrefix("http://")
      ? "\(environment)/\(realm)" : "https://\(environment)/\(realm)"
  }
}
