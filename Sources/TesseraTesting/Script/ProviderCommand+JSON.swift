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
    case "limit_token_requests":
      self = try members.limit()
    case "register":
      self = .register(try members.client())
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

  /// Returns a string; nil if the member is absent or null.
  mutating func optionalText(_ name: String) throws(ProviderCommandError) -> String? {
    guard let value = take(name), value != .null else { return nil }
    guard let text = value.string else { throw .wrong(name, "a string") }
    return text
  }

  /// Reads a limit of token requests.
  mutating func limit() throws(ProviderCommandError) -> ProviderCommand {
    .limitTokenRequests(
      grantType: try optionalText("grant_type"), requests: Int(clamping: try number("requests")),
      seconds: try number("seconds"))
  }

  /// Reads a confidential client.
  mutating func client() throws(ProviderCommandError) -> LocalClient {
    var client = LocalClient(clientID: try text("client_id"))
    client.secrets = (try texts("secrets") ?? []).map { Secret($0) }
    client.certificates = try texts("certificates") ?? []
    client.certificateAuthorities = try texts("certificate_authorities") ?? []
    client.assertions = (try texts("assertions") ?? []).map { Secret($0) }
    client.roles = try texts("roles") ?? []
    return client
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
    return try settings + serviceSettings()
  }

  /// Reads the settings for confidential clients.
  private mutating func serviceSettings() throws(ProviderCommandError) -> [ProviderSetting] {
    var settings: [ProviderSetting] = []
    if json["client_authentication_methods"] == .null {
      settings.append(.clientAuthenticationMethods(nil))
      _ = take("client_authentication_methods")
    } else if let list = try texts("client_authentication_methods") {
      settings.append(.clientAuthenticationMethods(list))
    }
    if let value = take("authentication_contexts") {
      let members = value.object?.members.map { ($0.name, $0.value.string) }
      guard let members, !members.contains(where: { $0.1 == nil }) else {
        throw .wrong("authentication_contexts", "an object with strings")
      }
      let contexts: [String: String] = members.reduce(into: [:]) { $0[$1.0] = $1.1 }
      settings.append(.authenticationContexts(contexts))
    }
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

extension LocalClient {
  /// Parses a JSON array of clients, with the members of the command `register`.
  ///
  /// `docs/local-provider.md` describes the members.
  ///
  /// - Throws: ``ProviderCommandError`` for invalid JSON and unknown members.
  public static func parse(json: [UInt8]) throws(ProviderCommandError) -> [LocalClient] {
    guard let list = (try? JSONValue(parsing: json))?.array else {
      throw ProviderCommandError("invalid_json", "The text is not a JSON array of objects.")
    }
    var clients: [LocalClient] = []
    for element in list {
      guard let object = element.object else {
        throw ProviderCommandError("invalid_json", "An element of the array is not an object.")
      }
      var members = CommandMembers(object)
      clients.append(try members.client())
      try members.rejectUnknownMembers()
    }
    return clients
  }
}

extension ProviderCommandError {
  fileprivate static func wrong(_ name: String, _ kind: String) -> ProviderCommandError {
    ProviderCommandError("invalid_member", "The member \"\(name)\" must be \(kind).")
  }
}
