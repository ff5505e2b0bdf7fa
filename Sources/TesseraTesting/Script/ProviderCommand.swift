// SPDX-License-Identifier: MIT
// What a test tells the local provider to do; the same value in process and over HTTP.

/// What a test tells the local provider to do.
///
/// Pass it to ``LocalProvider/perform(_:)``, or send it to a running `tessera-provider` as
/// `POST /_control/<name>` with a JSON object; `docs/local-provider.md` lists the names and members.
public enum ProviderCommand: Sendable, Equatable {
  /// Signs a person in and approves the request behind a user code.
  case approve(userCode: String, username: String)
  /// Declines the request behind a user code.
  case decline(userCode: String)
  /// Lets a user code and its device code expire now.
  case expire(userCode: String)
  /// Changes settings for everything issued from now on.
  case set([ProviderSetting])
  /// Answers everything but commands with status 503: for some requests, or until ``recover``.
  case outage(requests: Int?)
  /// Answers the next requests with status 429 and a `Retry-After`.
  case throttle(requests: Int, retryAfterSeconds: Int64)
  /// Answers the next token requests with a status and a body, which need not be JSON.
  case failTokenRequests(requests: Int, status: Int, body: String)
  /// Ends every outage, throttling and failure that was asked for.
  case recover
  /// Revokes all refresh tokens of a person, as an administrator does.
  case revokeRefreshTokens(username: String)
  /// Sets the counters to zero and empties the request log.
  case resetCounts
}

/// Why the local provider could not do what it was told to.
public struct ProviderCommandError: Error, Sendable, Equatable {
  /// The name of the situation, in snake case.
  public let code: String
  /// What is wrong, for a developer.
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
