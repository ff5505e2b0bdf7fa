// SPDX-License-Identifier: MIT
// Texts and messages: JSON, forms, URLs, token responses, ID tokens and discovery documents.

import TesseraCache
import TesseraEngine
import TesseraWire

private let now = Instant(secondsSince1970: 1_798_761_600)

/// Checks that a serialized JSON value parses to the same value.
private func fuzzJSON(_ input: FuzzInput) {
  let limits = JSONValue.Limits(bytes: 1 << 16, depth: input.choice == 8 ? 4 : 64)
  guard let value = try? JSONValue(parsing: input.bytes, limits: limits) else { return }
  let again = try? JSONValue(parsing: value.bytes, limits: .init(bytes: 1 << 20, depth: 64))
  require(again?.bytes == value.bytes, "what was written reads as what it was")
  _ = (value.integer, value.bool, value.text, value.kind, value.hashValue)
}

/// Checks that a JSON Pointer to each member of an object selects its value.
private func fuzzPointer(_ input: FuzzInput) {
  let (pointer, document) = input.lines
  guard let value = try? JSONValue(parsing: document) else { return }
  _ = JSONPointer(String(decoding: pointer, as: UTF8.self))?.value(in: value)?.bytes
  require(JSONPointer("")?.value(in: value)?.bytes == value.bytes, "the empty pointer selects all")
  for member in value.object?.members ?? [] {
    let token = member.name.utf8.flatMap { byte in
      switch byte {
      case UInt8(ascii: "~"): Array("~0".utf8)
      case UInt8(ascii: "/"): Array("~1".utf8)
      default: [byte]
      }
    }
    let last = value.object?.members.last { $0.name.utf8.elementsEqual(member.name.utf8) }
    let found = JSONPointer("/" + String(decoding: token, as: UTF8.self))?.value(in: value)
    require(found != nil && found?.bytes == last?.value.bytes, "a member is selected by its name")
  }
}

/// Fuzzes forms, URLs, authorities, scopes, JSON, JSON Pointers and base64url.
func fuzzText(_ input: FuzzInput) {
  let text = input.text
  switch input.choice {
  case 0:
    let form = FormFields(decoding: text)
    // Fields without a value are parsed but never sent.
    var sent = FormFields()
    for field in form.fields { sent.add(field.name, field.value) }
    require(FormFields(decoding: sent.encoded) == sent, "a form reads as what was sent")
  case 1:
    guard let address = WebURL(text) else { return }
    require(WebURL(address.origin)?.origin == address.origin, "an origin is an address")
    _ = (address.mayCarrySecrets, address.pathSegments)
  case 2, 3, 4:
    for type in [nil] + AuthorityType.allCases { fuzzAuthority(text, type) }
  case 5:
    let scopes = Scopes(parsing: text)
    require(Scopes(parsing: scopes.text) == scopes, "scopes read as what was written")
    require(scopes.covers(scopes), "scopes cover themselves")
    _ = (scopes.minus(.reserved).intersects(scopes), scopes.union(.reserved).significant)
  case 7, 8: fuzzJSON(input)
  case 9: fuzzPointer(input)
  default:
    guard let bytes = Base64URL.decode(text) else { return }
    require(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "base64url reads as what it was")
  }
}

/// Fuzzes token responses, ID tokens and client_info.
func fuzzTokens(_ input: FuzzInput) {
  switch input.choice {
  case 0:
    guard let json = object(input.bytes),
      let response = try? TokenResponse(json, received: ResponseTime(at: now))
    else { return }
    require(response.accessToken != nil || response.idToken != nil, "a response has a token")
    _ = response.idToken.flatMap { try? JSONWebToken($0) }
    _ = response.clientInfo.flatMap { try? ClientInfo($0) }?.homeAccountID
  case 1: check(try? JSONWebToken(Secret(input.text)))
  case 2:
    let (header, claims) = input.lines
    let token = Base64URL.encode(header) + "." + Base64URL.encode(claims) + ".c2lnbmF0dXJl"
    check(try? JSONWebToken(Secret(token)))
  case 3: _ = (try? ClientInfo(input.text))?.homeAccountID
  default: _ = (try? ClientInfo(Base64URL.encode(input.bytes)))?.homeAccountID
  }
}

/// Fuzzes device authorization responses, discovery documents and their records.
func fuzzDiscovery(_ input: FuzzInput) {
  guard let json = object(input.bytes) else { return }
  switch input.choice {
  case 0: _ = try? DeviceAuthorization(json, receivedAt: now)
  case 1:
    guard let configuration = try? OpenIDConfiguration(json) else { return }
    let again = try? OpenIDConfiguration(configuration.json)
    require(again == configuration, "a discovery document is remembered as it was")
  case 2:
    guard let discovery = try? InstanceDiscovery(json) else { return }
    for cloud in discovery.clouds { _ = discovery.cloud(of: cloud.preferredNetwork) }
  default:
    guard let record = DiscoveryRecord(members: json) else { return }
    _ = (record.key.number, record.configuration, record.cloud, record.isFresh(at: now))
  }
}

/// Returns a JSON object, or `nil` for any other input.
func object(_ bytes: [UInt8]) -> JSONObject? {
  (try? JSONValue(parsing: bytes))?.object
}

private func check(_ token: JSONWebToken?) {
  guard let token else { return }
  let claims = IDTokenClaims(token)
  _ = (claims.subject, claims.objectID, claims.tenantID, claims.username, claims.name)
  var check = IDTokenValidator(
    issuer: "https://login.example/{tenantid}", clientID: "app", now: now)
  _ = try? check.check(token)
  check.nonce = "nonce"
  check.now = nil
  _ = try? check.check(token)
}

private func fuzzAuthority(_ text: String, _ type: AuthorityType?) {
  guard let authority = try? Authority(text, type: type) else { return }
  require(authority.address.mayCarrySecrets, "secrets may be sent to the authority")
  let again = try? Authority(authority.text, type: authority.type)
  require(again?.text == authority.text, "an authority has one spelling")
  _ = (authority.configurationURL, authority.cloud, authority.issuerEnvironment)
  _ = (authority.realm(of: text, nil, hosts: []), authority.normalised(text))
  _ = (authority.belongsToOtherPolicy(text), authority.resultText(realm: text))
}
