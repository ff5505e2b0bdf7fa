// SPDX-License-Identifier: MIT
// Authorization responses, encrypted states of sign-ins, and redirect URIs.

import TesseraEngine
import TesseraWire

private let expectation = AuthorizationExpectation(
  state: Secret("state"), redirectURI: "http://localhost:8400/back",
  issuer: "https://login.example/{tenantid}/v2.0")

private let seal = StateSealer(key: [UInt8](repeating: 7, count: 32), clientID: "app")

/// Fuzzes responses as URL or form, encrypted states, pending sign-ins and redirect URIs.
func fuzzAuthorization(_ input: FuzzInput) {
  switch input.choice {
  case 0: fuzzResponse(.address(Secret("http://localhost:8400/back?state=state&" + input.text)))
  case 1: fuzzResponse(.form(Secret(input.text)))
  case 2: fuzzResponse(.address(Secret(input.text)))
  case 3: require(seal.open(Secret(input.text)) == nil, "a state requires the key")
  case 4: fuzzPending(input.bytes)
  case 5:
    guard let authority = try? Authority("https://login.microsoftonline.com/common", type: nil)
    else { return }
    fuzzRedirect(input.text, authority)
  default:
    guard let authority = try? Authority("https://login.example", type: .openID) else { return }
    fuzzRedirect(input.text, authority)
  }
}

private func fuzzResponse(_ answer: RawAuthorizationResponse) {
  let isOwn = AuthorizationResponse.matchesState(answer, to: expectation.state)
  do throws(WireError) {
    let response = try AuthorizationResponse(answer, to: expectation)
    require(isOwn, "only what has the state is read")
    switch response.content {
    case .code(let code): require(!code.isEmpty, "a code is not empty")
    case .errorResponse(let errorResponse):
      let error = TesseraError(errorResponse, correlationID: nil)
      require(!error.message.isEmpty, "an error response has a message")
    }
  } catch {
    require(error.code.hasPrefix("authorization_"), "what is wrong has a name")
    require(isOwn || ["state", "too_large"].contains { error.code.hasSuffix($0) }, "state first")
  }
}

private func fuzzPending(_ bytes: [UInt8]) {
  guard let json = (try? JSONValue(parsing: bytes))?.object,
    let pending = PendingAuthorization(json)
  else { return }
  let state = seal.seal(pending, nonce: [UInt8](repeating: 1, count: 12))
  require(
    state.flatMap(seal.open) == PendingAuthorization(pending.json), "a state opens as what it was")
  let other = StateSealer(key: [UInt8](repeating: 7, count: 32), clientID: "other")
  require(state.flatMap(other.open) == nil, "a state is for one application")
}

private func fuzzRedirect(_ text: String, _ authority: Authority) {
  let owner = RedirectOwner(
    clientID: "app", bundleID: "com.example.mail", schemes: nil, authority: authority)
  do throws(TesseraError) {
    let redirect = try RedirectURI(text, of: owner)
    require(redirect.text == text, "a redirect URI is sent as it was given")
    require(!text.contains("#") && text.contains(":"), "a redirect URI can carry an answer")
  } catch {
    require(error.remedy == .fixConfiguration && !error.message.isEmpty, "a mistake is explained")
  }
}
