// SPDX-License-Identifier: MIT
// A transport that edits token responses so that they are refused.

import TesseraEngine
import TesseraTesting
import TesseraWire

/// A network on which the responses to refreshes are refused.
struct RefusingTransport: Transport {
  /// The reason for rejecting a response.
  enum Fault: String, CaseIterable, Sendable {
    case damagedIDToken, otherIssuer, otherAudience, otherAccount, otherTokenType
  }

  /// The refresh token in the refused response.
  enum Successor: String, CaseIterable, Sendable {
    case new, same, none
  }

  let network: LocalTransport
  let fault: Fault
  var successor = Successor.new

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let form = FormFields(decoding: String(decoding: request.body, as: UTF8.self))
    let response = try network.send(request, within: limits)
    guard form["grant_type"] == "refresh_token", var json = response.json else {
      return response
    }
    switch fault {
    case .damagedIDToken: json["id_token"] = "a.b.c"
    case .otherIssuer: json["id_token"] = changed(json["id_token"], "iss", "https://evil.example")
    case .otherAudience: json["id_token"] = changed(json["id_token"], "aud", "evil")
    case .otherAccount: json["id_token"] = changed(json["id_token"], "sub", "mallory")
    case .otherTokenType: json["token_type"] = "pop"
    }
    switch successor {
    case .new: json["refresh_token"] = "SUCCESSOR"
    case .same: json["refresh_token"] = form["refresh_token"].map(JSONValue.string)
    case .none: json["refresh_token"] = nil
    }
    return .json(.object(json), status: response.status)
  }

  private func changed(_ token: JSONValue?, _ name: String, _ value: JSONValue) -> JSONValue {
    let parts = (token?.string ?? "").split(separator: ".").map(String.init)
    guard parts.count == 3, let bytes = Base64URL.decode(parts[1][...]),
      var claims = (try? JSONValue(parsing: bytes))?.object
    else { return "a.b.c" }
    claims[name] = value
    let body = Base64URL.encode(JSONValue.object(claims).bytes)
    return .string([parts[0], body, parts[2]].joined(separator: "."))
  }
}
