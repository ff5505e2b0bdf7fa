// SPDX-License-Identifier: MIT
// Parsing of commands that are received over HTTP: a name and a JSON object.

import TesseraWire

extension ProviderCommand {
  /// Parses a command.
  ///
  /// Unknown members are errors.
  init(_ name: String, _ json: JSONObject) throws(ProviderCommandError) {
    var members = CommandMembers(json)
    switch name {
    case "approve":
      self = .approve(
        userCode: try members.text("user_code"), username: try members.text("username"))
    case "decline":
      self = .decline(userCode: try members.text("user_code"))
    case "expire":
      self = .expire(userCode: try members.text("user_code"))
    case "set":
      self = .set(try members.settings())
    case "outage":
      self = .outage(requests: try members.optionalNumber("requests").map(Int.init(clamping:)))
    case "throttle":
      self = .throttle(
        requests: Int(clamping: try members.optionalNumber("requests") ?? 1),
        retryAfterSeconds: try members.number("retry_after_seconds"))
    case "fail_token_requests":
      self = .failTokenRequests(
        requests: Int(clamping: try members.optionalNumber("requests") ?? 1),
        status: try members.status("status") ?? 400,
        body: try members.body("body"))
    case "recover":
      self = .recover
    case "revoke_refresh_tokens":
      self = .revokeRefreshTokens(username: try members.text("username"))
    case "reset_counts":
      self = .resetCounts
    default:
      throw ProviderCommandError("unknown_command", "Unknown command \"\(name)\".")
    }
    try members.rejectUnknownMembers()
  }
}

/// The members of a command.
///
/// Parsing removes them one by one, so that remaining members are unknown.
private struct CommandMembers {
  private var json: JSONObject
  private var known: [String] = []

  init(_ json: JSONObject) {
    self.json = json
  }

  mutating func text(_ name: String) throws(ProviderCommandError) -> String {
    guard let text = take(name)?.string else { throw .wrong(name, "a string") }
    return text
  }

  mutating func number(_ name: String) throws(ProviderCommandError) -> Int64 {
    guard let number = try optionalNumber(name) else { throw .wrong(name, "an integer") }
    return number
  }

  /// Returns a nonnegative number; nil if the member is absent or null.
  mutating func optionalNumber(_ name: String) throws(ProviderCommandError) -> Int64? {
    guard let value = take(name), value != .null else { return nil }
    guard case .number = value, let number = value.integer, number >= 0 else {
      throw .wrong(name, "an integer")
    }
    return number
  }

  /// Returns a final HTTP status; nil if the member is absent or null.
  mutating func status(_ name: String) throws(ProviderCommandError) -> Int? {
    guard let number = try optionalNumber(name) else { return nil }
    guard (200...599).contains(number) else { throw .wrong(name, "a number from 200 to 599") }
    return Int(number)
  }

  /// Returns a body: a string as it is, any other value serialized as JSON.
  mutating func body(_ name: String) throws(ProviderCommandError) -> String {
    guard let value = take(name) else { throw .wrong(name, "a string or a JSON value") }
    return value.string ?? value.serialized
  }

  /// Reads the settings that affect the content of token responses.
  private mutating func responseSettings() throws(ProviderCommandError) -> [ProviderSetting] {
    var settings: [ProviderSetting] = []
    if json["extended_lifetime_seconds"] != nil {
      settings.append(
        .extendedLifetime(seconds: try optionalNumber("extended_lifetime_seconds")))
    } else {
      known.append("extended_lifetime_seconds")
    }
    if let value = take("granted_scope") {
      guard value == .null || value.string != nil else {
        throw .wrong("granted_scope", "a string or null")
      }
      settings.append(.grantedScope(value.string))
    }
    return settings
  }

  mutating func settings() throws(ProviderCommandError) -> [ProviderSetting] {
    var settings: [ProviderSetting] = []
    if let seconds = try optionalNumber("access_token_lifetime_seconds") {
      settings.append(.accessTokenLifetime(seconds: seconds))
    }
    if json["refresh_in_seconds"] != nil {
      settings.append(.refreshIn(seconds: try optionalNumber("refresh_in_seconds")))
    } else {
      known.append("refresh_in_seconds")
    }
    settings += try responseSettings()
    if let seconds = try optionalNumber("device_code_lifetime_seconds") {
      settings.append(.deviceCodeLifetime(seconds: seconds))
    }
    if let seconds = try optionalNumber("authorization_code_lifetime_seconds") {
      settings.append(.authorizationCodeLifetime(seconds: seconds))
    }
    if let list = try texts("redirect_uris") { settings.append(.redirectURIs(list)) }
    if let seconds = try optionalNumber("interval_seconds") {
      settings.append(.interval(seconds: seconds))
    }
    if let value = take("rotates_refresh_tokens") {
      guard case .bool(let rotates) = value else {
        throw .wrong("rotates_refresh_tokens", "a boolean")
      }
      settings.append(.rotation(rotates))
    }
    if let list = try texts("family_client_ids") { settings.append(.familyClients(list)) }
    return settings
  }

  /// Returns an array of strings; nil if the member is absent.
  private mutating func texts(_ name: String) throws(ProviderCommandError) -> [String]? {
    guard let value = take(name) else { return nil }
    guard let texts = value.array?.map(\.string), !texts.contains(nil) else {
      throw .wrong(name, "an array of strings")
    }
    return texts.compactMap(\.self)
  }

  func rejectUnknownMembers() throws(ProviderCommandError) {
    guard let unknown = json.members.first?.name else { return }
    throw ProviderCommandError(
      "unknown_member",
      "Unknown member \"\(unknown)\"; the known members are: \(known.joined(separator: ", ")).")
  }

  private mutating func take(_ name: String) -> JSONValue? {
    known.append(name)
    defer { json[name] = nil }
    return json[name]
  }
}

extension ProviderCommandError {
  fileprivate static func wrong(_ name: String, _ kind: String) -> ProviderCommandError {
    ProviderCommandError("invalid_member", "The member \"\(name)\" must be \(kind).")
  }
}
