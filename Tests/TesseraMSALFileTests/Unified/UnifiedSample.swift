// SPDX-License-Identifier: MIT
// Caches that other libraries wrote, and helpers to inspect them.

import TesseraCache
import TesseraWire
import TestVectors

@testable import TesseraMSALFile

/// A cache that a real library wrote, with times of 1,700,000,000 or later.
struct UnifiedSample: Sendable, CustomStringConvertible {
  let name: String
  var description: String { name }

  var bytes: [UInt8] { TestVector.bytes(of: "msal-samples/\(name).cache.json") }

  /// The entries by section and key.
  var entries: [String: JSONValue] { (try? JSONValue(parsing: bytes).entries) ?? [:] }

  static let all = [
    "aad_user_device_code", "aad_user_foci", "aad_user_ropc", "adfs_user", "b2c_user",
    "client_credentials", "go_aad_user_foci", "go_client_credentials", "go_obo",
    "managed_identity", "msa_user", "node_aad_user_foci", "node_client_credentials", "node_obo",
    "obo", "ssh_cert", "user_fic",
  ].map(UnifiedSample.init)

  /// The account of the samples.
  static let alice = "11111111-0000-4000-8000-000000000001.\(tenant)"
  static let tenant = "aaaaaaaa-0000-4000-8000-00000000000a"
  static let cli = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  static let host = "login.microsoftonline.com"

  /// Returns an access token of Tessera.
  static func accessToken(
    _ secret: String, _ target: String = "https://x/read", client: String = cli,
    at time: Int64 = 2_000_000_000
  ) -> CredentialRecord {
    var token = credential(.accessToken, secret, client: client)
    token.realm = tenant
    token.target = target
    token.cachedAt = Instant(secondsSince1970: time)
    token.expiresAt = Instant(secondsSince1970: time + 3600)
    return token
  }

  /// Returns a credential of the account.
  static func credential(
    _ type: CredentialType, _ secret: String, client: String = cli
  ) -> CredentialRecord {
    var token = CredentialRecord(type: type, secret: Secret(secret))
    token.homeAccountID = alice
    token.environment = host
    token.clientID = client
    return token
  }
}

extension UnifiedCache {
  /// The entries without a record type, by section and key.
  var foreignEntries: [String: JSONValue] {
    let pairs = records(of: ForeignRecord.owner).compactMap { record -> (String, JSONValue)? in
      guard case .foreign(let foreign) = record else { return nil }
      return ("\(foreign.entry.section) \(foreign.entry.key)", foreign.entry.value)
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  /// The document as a JSON value.
  var json: JSONValue {
    var copy = self
    return (try? JSONValue(parsing: copy.bytes(), limits: .init(bytes: 1 << 26))) ?? .null
  }

  /// Returns the access tokens that a cache lookup of an application finds.
  func plain(
    _ owner: String, _ scopes: String, client: String = UnifiedSample.cli,
    realm: String = UnifiedSample.tenant
  ) -> [String] {
    var query = CredentialQuery(CredentialKeyParts(type: .accessToken))
    query.parts.clientID = client
    query.parts.realm = realm
    query.parts.target = scopes
    return accessTokens(of: owner, having: nil).filter(query.matches).map { $0.secret.reveal() }
  }

  /// Returns the secrets of an account's credentials.
  func secrets(_ owner: String) -> Set<String> {
    let tokens = accessTokens(of: owner, having: nil).map(CacheRecord.credential)
    return Set(
      (tokens + records(of: owner)).compactMap { record in
        if case .credential(let token) = record { token.secret.reveal() } else { nil }
      })
  }
}

extension JSONValue {
  /// The entries of a document by section and key, without Tessera's section.
  var entries: [String: JSONValue] {
    var entries: [String: JSONValue] = [:]
    for section in object?.members ?? [] where section.name != "Tessera" {
      for entry in section.value.object?.members ?? [] {
        entries["\(section.name) \(entry.name)"] = entry.value
      }
    }
    return entries
  }
}
