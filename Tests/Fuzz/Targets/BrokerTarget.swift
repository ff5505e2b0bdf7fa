// SPDX-License-Identifier: MIT
// Responses of the Linux broker.

import TesseraBroker
import TesseraWire

/// Fuzzes responses to every method.
///
/// A parsed response contains no refresh token.
func fuzzBroker(_ input: FuzzInput) {
  let answer: LinuxBrokerResponse
  do throws(LinuxBrokerError) {
    answer = try LinuxBrokerResponse(input.text)
  } catch {
    guard case .errorResponse(let errorResponse) = error else { return }
    require(errorResponse.context.utf8.count <= 8_000, "the broker's words are cut")
    return _ = (errorResponse.serverCodes, errorResponse.subError)
  }
  if let tokens = try? answer.tokenResponse() {
    require(tokens["refresh_token"] == nil, "no refresh token comes from a broker")
    let received = ResponseTime(at: Instant(secondsSince1970: 1_798_761_600))
    _ = try? TokenResponse(tokens, received: received)
  }
  for account in (try? answer.accounts()) ?? [] {
    let again = LinuxBrokerAccount(account.json)
    require(again?.homeAccountID == account.homeAccountID, "an account goes back as it came")
    _ = (account.environment, account.realm, account.username, account.name)
  }
  for cookie in (try? answer.cookies()) ?? [] {
    require(!cookie.content.reveal().contains("\n"), "a cookie fits into a header field")
  }
  _ = (try? answer.version(), try? answer.signedRequest())
}
