// SPDX-License-Identifier: MIT
// The JSON form of an error in a throttle record.

package import TesseraWire

extension TesseraError {
  /// The members of an error that are recorded.
  package var recordedMembers: JSONObject {
    var error = self
    error.accounts = []
    return error.members
  }

  /// Parses a recorded error.
  init(recordedError json: JSONObject) {
    let remedy = TesseraError.Remedy.allCases.first { $0.name == json["remedy"]?.string }
    self.init(
      remedy ?? .retryLater, TesseraError.Code(rawValue: json["code"]?.string ?? "throttled"),
      json["message"]?.string ?? "")
    retryAfterSeconds = json["retry_after"]?.integer
    oauthError = json["oauth_error"]?.string?.plain(atMost: 200)
    suberror = json["suberror"]?.string?.plain(atMost: 200)
    serverCodes = (json["server_codes"]?.array ?? []).compactMap(\.integer)
    correlationID = json["correlation_id"]?.string?.plain(atMost: 200)
    traceID = json["trace_id"]?.string?.plain(atMost: 200)
    claims = json["claims"]?.string
    username = json["username"]?.string?.plain(atMost: 200)
    homeAccountID = json["home_account_id"]?.string
    grantedScopes = (json["granted_scopes"]?.array ?? []).compactMap(\.string)
    declinedScopes = (json["declined_scopes"]?.array ?? []).compactMap(\.string)
    causes = (json["causes"]?.array ?? []).prefix(TesseraError.Cause.limit).compactMap(
      TesseraError.Cause.init)
  }
}
