// SPDX-License-Identifier: MIT
// Conversion of a token response to records of the unified schema, compared with vectors.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct TokenResponseRecordsVectorTests {
  private let now = Instant(secondsSince1970: 1_600_000_000)

  @Test(arguments: TestVector.all(in: "unified_cache", areas: "unified.from-response"))
  func `a token response becomes the record of the vector`(_ vector: TestVector) throws {
    let tokenRecords = try self.tokenRecords(vector)
    let record = try #require(self.record(vector.name, of: tokenRecords))
    let expected = try #require(vector.expected["json"]?.object)
    for member in expected.members {
      #expect(record.members[member.name] == resolved(member.value, tokenRecords), "\(member.name)")
    }
    for member in record.members.members {
      #expect(expected[member.name] != nil, "unexpected member \(member.name)")
    }
    let key = try #require(vector.expected["key"]?.object)
    #expect(record.key.account == key["account"]?.string)
    #expect(record.key.generic == key["generic"]?.string)
    #expect(key["type"]?.integer == Int64(record.key.type))
    // These vectors omit the scheme from the key. The key vectors include it.
    let scheme = tokenRecords.scheme != nil && record.accessToken != nil ? "-pop" : ""
    #expect(record.key.service == key["service"]?.string.map { $0 + scheme })
  }

  private func tokenRecords(_ vector: TestVector) throws -> TokenResponseRecords {
    let configuration = try #require(vector.input["configuration"]?.object)
    let response = try TokenResponse(
      try #require(vector.input["tokenResponse"]?.object), received: ResponseTime(at: now))
    let claims = try response.idToken.map { IDTokenClaims(try JSONWebToken($0)) }
    let address = try #require(configuration["authority"]?.string.flatMap(WebURL.init))
    return TokenResponseRecords(
      response: response, claims: claims,
      identity: try TokenIdentity(
        response, claims, tenant: address.pathSegments.first ?? "", expected: nil),
      clientID: try #require(configuration["clientId"]?.string), environment: address.authority,
      requestedScopes: Scopes(parsing: configuration["target"]?.string ?? ""), hasFamilies: true,
      scheme: configuration["authScheme"]?.object.flatMap(TokenScheme.init),
      received: ResponseTime(at: now))
  }

  /// Returns the record that a vector describes, based on the vector's name.
  private func record(_ name: String, of tokenRecords: TokenResponseRecords) -> CacheRecord? {
    switch name {
    case _ where name.contains("ForAccessToken"):
      tokenRecords.accessToken.map(CacheRecord.credential)
    case _ where name.contains("ForIDToken"): tokenRecords.idToken.map(CacheRecord.credential)
    case _ where name.contains("ForFamilyRefreshToken"):
      tokenRecords.refreshTokens.first { $0.familyID != nil }.map(CacheRecord.credential)
    case _ where name.contains("ForRefreshToken"):
      tokenRecords.refreshTokens.first { $0.familyID == nil }.map(CacheRecord.credential)
    case _ where name.contains("ForAppMetadata"):
      tokenRecords.appMetadata.map(CacheRecord.appMetadata)
    case _ where name.contains("ForAccount"): .account(tokenRecords.account)
    default: nil
    }
  }

  /// Returns the value of a placeholder in angle brackets, or any other value unchanged.
  private func resolved(_ value: JSONValue, _ tokenRecords: TokenResponseRecords) -> JSONValue {
    switch value.string {
    case "<now>": .string(String(now.secondsSince1970))
    case "<now+expires_in>": .string(String(tokenRecords.response.expiresAt.secondsSince1970))
    case "<now+ext_expires_in>":
      .string(String(tokenRecords.response.extendedExpiresAt?.secondsSince1970 ?? 0))
    default: value
    }
  }
}

extension TokenScheme {
  /// Creates the scheme that the fields of a token request ask for.
  ///
  /// Proof of possession names the key as `kid` in the base64url JSON of `req_cnf`, SSH certificates as `key_id`.
  fileprivate init?(_ fields: JSONObject) {
    guard let name = fields["token_type"]?.string else { return nil }
    let confirmation = fields["req_cnf"]?.string.flatMap { Base64URL.decode($0) }
      .flatMap { try? JSONValue(parsing: $0) }
    guard let keyID = fields["key_id"]?.string ?? confirmation?.object?["kid"]?.string else {
      return nil
    }
    self.init(name: name, keyID: keyID)
  }
}
