// SPDX-License-Identifier: MIT
// Responses of Microsoft Authenticator, encrypted and decrypted, and device requirements of pages.

import Crypto
import CryptoExtras
import TesseraApple
import TesseraEngine
import TesseraWire

private let fuzzRedirectURI = "msauth.com.contoso.app://auth"
private let keyBytes = [UInt8](repeating: 7, count: AuthenticatorKey.byteCount)
private let seal = StateSealer(key: keyBytes, clientID: "app")

/// Fuzzes response URLs, queries, ciphertext, response fields, encrypted states and page URLs.
func fuzzAuthenticator(_ input: FuzzInput) {
  switch input.choice {
  case 0: fuzzAddress(input.text)
  case 1: fuzzAddress("\(fuzzRedirectURI)?msg_protocol_ver=3&hash=00&" + input.text)
  case 2: fuzzEncrypted(input.bytes, nonce: "")
  case 3: fuzzEncrypted(Array("broker_nonce=NONCE&".utf8) + input.bytes, nonce: "NONCE")
  case 4: fuzzMembers(input.bytes)
  case 5: fuzzPrompt("msauth://wpj?" + input.text)
  case 6: fuzzPrompt("\(fuzzRedirectURI)/" + input.text)
  default: fuzzFields(AuthenticatorFields(decoding: input.text))
  }
}

private func response(to address: String, nonce: String) -> AuthenticatorResponse? {
  let expected = AuthenticatorExpectation(
    redirectURI: fuzzRedirectURI, nonce: Secret(nonce), key: AuthenticatorKey(keyBytes))
  do throws(WireError) {
    return try AuthenticatorResponse(Secret(address), to: expected)
  } catch {
    require(error.code.hasPrefix("authenticator_"), "what is wrong has a name")
    require(TesseraError(error).msalCode != nil, "and a number of MSAL")
    return nil
  }
}

private func fuzzAddress(_ address: String) {
  require(response(to: address, nonce: "NONCE") == nil, "a response requires the key")
}

/// Encrypts the input and checks that a response without the nonce is rejected.
private func fuzzEncrypted(_ plain: [UInt8], nonce: String) {
  guard let vector = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16)),
    let encrypted = try? AES._CBC.encrypt(plain, using: SymmetricKey(data: keyBytes), iv: vector)
  else { return }
  require(AuthenticatorKey(keyBytes)?.decrypt([UInt8](encrypted)) == plain, "it comes back")
  let query =
    "?msg_protocol_ver=3&hash=\(AuthenticatorKey.hash(plain))&response=\(Base64URL.encode(encrypted))"
  guard let found = response(to: fuzzRedirectURI + query, nonce: nonce) else { return }
  require(found.fields["broker_nonce"] == nonce && !nonce.isEmpty, "the nonce is compared")
  fuzzFields(found.fields)
}

private func fuzzFields(_ fields: AuthenticatorFields) {
  let answer = AuthenticatorResult(fields)
  switch answer.content {
  case .tokens(let json):
    require(fields["broker_error_domain"] == nil, "a success has no error")
    _ = try? TokenResponse(json, received: ResponseTime(at: Instant(secondsSince1970: 0)))
  case .errorResponse(let errorResponse):
    let error = TesseraError(errorResponse, correlationID: "")
    require(!error.message.isEmpty && !error.json.bytes.isEmpty, "a rejection has a message")
    require(error.retryAfterSeconds.map { (0...86_400).contains($0) } ?? true, "for a day at most")
  }
}

private func fuzzMembers(_ bytes: [UInt8]) {
  guard let json = (try? JSONValue(parsing: bytes))?.object,
    let pending = PendingAuthenticatorSignIn(json)
  else { return }
  let state = seal.seal(
    pending.json, as: .authenticator, nonce: [UInt8](repeating: 1, count: 12))
  let opened = state.flatMap { seal.open($0, as: .authenticator) }
  require(
    opened.flatMap { PendingAuthenticatorSignIn($0) } == pending, "a state opens as what it was")
  require(state.flatMap { seal.open($0, as: .page) } == nil, "and as nothing else")
}

private func fuzzPrompt(_ address: String) {
  guard let prompt = DeviceRequirement(address, redirectURI: fuzzRedirectURI) else { return }
  require(prompt.appLink.map { $0.contains("://") } ?? true, "a link is one")
  require(!TesseraError(prompt).message.isEmpty, "the error has a remedy")
}
