// SPDX-License-Identifier: MIT
// The commands with which a test controls the local provider, in process or over HTTP.

/// A command that controls the local provider.
///
/// Pass it to ``LocalProvider/perform(_:)``, or send it to a running `tessera-provider` as
/// `POST /_control/<name>` with a JSON object; `docs/local-provider.md` lists the names and members.
public enum ProviderCommand: Sendable, Equatable {
  /// Signs a user in and approves the device authorization with a user code.
  case approve(userCode: String, username: String)
  /// Declines the device authorization with a user code.
  case decline(userCode: String)
  /// Expires a user code and its device code now.
  case expire(userCode: String)
  /// Changes settings for everything issued from now on.
  case set([ProviderSetting])
  /// Returns status 503 to all requests except commands: for a number of requests, or until ``recover``.
  case outage(requests: Int?)
  /// Returns status 429 with `Retry-After` to the next requests.
  case throttle(requests: Int, retryAfterSeconds: Int64)
  /// Returns a status and a body, which need not be JSON, to the next token requests.
  case failTokenRequests(requests: Int, status: Int, body: String)
  /// Returns status 429 with `Retry-After` to the token requests of a client and tenant that exceed a number in a period.
  ///
  /// Applies to one grant type, or to all of them.
  case limitTokenRequests(grantType: String?, requests: Int, seconds: Int64)
  /// Registers a confidential client, or replaces its registration.
  case register(LocalClient)
  /// Ends all simulated outages, throttling, limits and failures.
  case recover
  /// Revokes all refresh tokens of a user, like an administrator.
  case revokeRefreshTokens(username: String)
  /// Resets the counters and empties the request log.
  case resetCounts
}

/// An error of a command.
public struct ProviderCommandError: Error, Sendable, Equatable {
  /// The identifier of the error, in snake case.
  public let code: String
  /// The cause, for developers.
  public let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ProviderCommandError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}
