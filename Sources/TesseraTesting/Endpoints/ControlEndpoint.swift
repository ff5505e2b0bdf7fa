// SPDX-License-Identifier: MIT
// The control endpoint, which executes commands as JSON.

import TesseraWire

extension ProviderState {
  /// Executes a command that was received over HTTP.
  mutating func command(_ name: String, _ request: IncomingRequest) -> HTTPResponse {
    do throws(ProviderCommandError) {
      let limits = JSONValue.Limits(bytes: LocalProvider.bodyLimit)
      let body = request.body.isEmpty ? Array("{}".utf8) : request.body
      guard let json = (try? JSONValue(parsing: body, limits: limits))?.object else {
        throw ProviderCommandError("invalid_json", "The body is not a JSON object.")
      }
      try perform(ProviderCommand(name, json), at: request.now)
      return .json(["done": true])
    } catch {
      let status = error.code == "unknown_command" ? 404 : 400
      let body: JSONValue = ["error": .string(error.code), "message": .string(error.message)]
      return .json(body, status: status)
    }
  }

  /// Executes a command.
  mutating func perform(
    _ command: ProviderCommand, at now: Instant
  ) throws(ProviderCommandError) {
    switch command {
    case .approve(let userCode, let username):
      let user = try user(username)
      guard try pending(userCode, at: now).issuer.admits(user) else {
        throw ProviderCommandError(
          "not_admitted", "\(username) is not allowed to sign in at this authority.")
      }
      try change(userCode, at: now) { $0.decision = .approved(user) }
    case .decline(let userCode):
      try change(userCode, at: now) { $0.decision = .declined }
    case .expire(let userCode):
      try change(userCode, at: now) { $0.expiresAt = now }
    case .set(let changes):
      for change in changes { settings.change(change) }
    case .outage(let requests):
      simulatedFailures.fail(requests: requests)
    case .throttle(let requests, let seconds):
      simulatedFailures.throttle(requests: requests, retryAfterSeconds: seconds)
    case .failTokenRequests(let requests, let status, let body):
      simulatedFailures.failTokens(requests: requests, status: status, body: body)
    case .limitTokenRequests(let grantType, let requests, let seconds):
      simulatedFailures.limitTokens(grantType: grantType, requests: requests, seconds: seconds)
    case .register(let client):
      try clients.register(client)
    case .recover:
      simulatedFailures.recover()
    case .revokeRefreshTokens(let username):
      refreshTokens.revoke(try user(username))
    case .resetCounts:
      counts = ProviderCounts()
      requestLog = []
    }
  }

  private func user(_ username: String) throws(ProviderCommandError) -> LocalUser {
    guard let user = LocalUser.named(username) else {
      let names = LocalUser.all.map(\.username).joined(separator: ", ")
      throw ProviderCommandError(
        "unknown_user", "Unknown user \(username). The known users are: \(names).")
    }
    return user
  }

  private func pending(
    _ userCode: String, at now: Instant
  ) throws(ProviderCommandError) -> DeviceGrant {
    guard let grant = deviceGrants.pending(userCode: userCode, at: now) else {
      throw ProviderCommandError(
        "unknown_user_code", "No pending device authorization has this user code.")
    }
    return grant
  }

  private mutating func change(
    _ userCode: String, at now: Instant, _ change: (inout DeviceGrant) -> Void
  ) throws(ProviderCommandError) {
    _ = try pending(userCode, at: now)
    _ = deviceGrants.change(userCode: userCode, at: now, change)
  }
}
