// SPDX-License-Identifier: MIT
// The people who can sign in at the local provider.

import Crypto
import TesseraWire

/// A person who can sign in at the local provider.
///
/// There are four: two in one company, one in another who is a guest in the first, and one with a personal account.
public struct LocalUser: Sendable, Hashable {
  /// The name the person signs in with.
  public let username: String
  /// The name for display.
  public let name: String
  /// The object id in the home tenant; at a plain OpenID Connect issuer, the subject.
  public let objectID: String
  let home: Tenant

  /// Alice works at Contoso.
  public static let alice = LocalUser(
    username: "alice@contoso.com", name: "Alice Archer",
    objectID: "a11ce000-0000-4000-8000-000000000001", home: .contoso)
  /// Bob works at Contoso too.
  public static let bob = LocalUser(
    username: "bob@contoso.com", name: "Bob Baker",
    objectID: "b0b00000-0000-4000-8000-000000000002", home: .contoso)
  /// Carol works at Fabrikam; in the tenant of Contoso she is a guest.
  public static let carol = LocalUser(
    username: "carol@fabrikam.com", name: "Carol Carter",
    objectID: "ca201000-0000-4000-8000-000000000003", home: .fabrikam)
  /// Dave has a personal account.
  public static let dave = LocalUser(
    username: "dave@outlook.example", name: "Dave Dyer",
    objectID: "00000000-0000-0000-da4e-000000000004", home: .personal)

  /// Everybody.
  public static let all = [alice, bob, carol, dave]

  /// The id of the tenant the person belongs to.
  public var homeTenantID: String { home.id }

  /// The identifier that stays with the person across tenants at the Entra face.
  public var homeAccountID: String { "\(objectID).\(home.id)" }

  /// Whether the account is a personal one.
  var isPersonal: Bool { home == .personal }

  /// The person with this name, in whatever case.
  static func named(_ username: String) -> LocalUser? {
    all.first { $0.username == username.normalised }
  }

  /// The object id in a tenant: a guest has another one there than at home.
  func objectID(in tenant: Tenant) -> String {
    guard tenant != home else { return objectID }
    return UUIDText.make(SHA256.hash(data: Array("\(objectID)@\(tenant.id)".utf8)).prefix(16))
  }

  /// `sub` of the Entra face: another one for every application.
  func pairwiseSubject(for clientID: String, in tenant: Tenant) -> String {
    Base64URL.encode(SHA256.hash(data: Array("\(clientID)|\(objectID(in: tenant))".utf8)))
  }
}

/// The text of a UUID (RFC 9562 section 4).
enum UUIDText {
  /// A UUID of version 4 made of sixteen bytes.
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
