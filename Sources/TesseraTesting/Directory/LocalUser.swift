// SPDX-License-Identifier: MIT
// The users of the local provider.

import Crypto
import TesseraWire

/// A user of the local provider.
///
/// There are four users: two of Contoso, one of Fabrikam (a guest at Contoso), and one with a personal account.
public struct LocalUser: Sendable, Hashable {
  /// The user name for signing in.
  public let username: String
  /// The display name.
  public let name: String
  /// The object ID in the home tenant; at a generic OpenID Connect issuer, the subject.
  public let objectID: String
  let home: Tenant

  /// A user of Contoso.
  public static let alice = LocalUser(
    username: "alice@contoso.com", name: "Alice Archer",
    objectID: "a11ce000-0000-4000-8000-000000000001", home: .contoso)
  /// Another user of Contoso.
  public static let bob = LocalUser(
    username: "bob@contoso.com", name: "Bob Baker",
    objectID: "b0b00000-0000-4000-8000-000000000002", home: .contoso)
  /// A user of Fabrikam, and a guest in the tenant of Contoso.
  public static let carol = LocalUser(
    username: "carol@fabrikam.com", name: "Carol Carter",
    objectID: "ca201000-0000-4000-8000-000000000003", home: .fabrikam)
  /// A user with a personal account.
  public static let dave = LocalUser(
    username: "dave@outlook.example", name: "Dave Dyer",
    objectID: "00000000-0000-0000-da4e-000000000004", home: .personal)

  /// All users.
  public static let all = [alice, bob, carol, dave]

  /// The ID of the home tenant.
  public var homeTenantID: String { home.id }

  /// The home account ID, which is the same in all tenants of Entra ID.
  public var homeAccountID: String { "\(objectID).\(home.id)" }

  /// Whether the account is a personal one.
  var isPersonal: Bool { home == .personal }

  /// Returns the user with a name, ignoring case; nil if there is none.
  static func named(_ username: String) -> LocalUser? {
    all.first { $0.username == username.normalised }
  }

  /// Returns the object ID in a tenant.
  ///
  /// A guest's differs from the one in the home tenant.
  func objectID(in tenant: Tenant) -> String {
    guard tenant != home else { return objectID }
    return UUIDText.make(SHA256.hash(data: Array("\(objectID)@\(tenant.id)".utf8)).prefix(16))
  }

  /// Returns the claim `sub` of Entra ID, which differs for each application.
  func pairwiseSubject(for clientID: String, in tenant: Tenant) -> String {
    Base64URL.encode(SHA256.hash(data: Array("\(clientID)|\(objectID(in: tenant))".utf8)))
  }
}

/// Formatting of UUIDs (RFC 9562 section 4).
enum UUIDText {
  /// Formats 16 bytes as a UUID of version 4.
  static func make(_ bytes: some Sequence<UInt8>) -> String {
    let digits = bytes.enumerated().map { index, byte in
      let value =
        switch index {
        case 6: byte & 0x0F | 0x40
        case 8: byte & 0x3F | 0x80
        default: byte
        }
      let text = String(value, radix: 16)
      return [4, 6, 8, 10].contains(index) ? "-" + padded(text) : padded(text)
    }
    return digits.joined()
  }

  private static func padded(_ digits: String) -> String {
    digits.utf8.count == 1 ? "0" + digits : digits
  }
}
