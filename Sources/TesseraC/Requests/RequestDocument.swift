// SPDX-License-Identifier: MIT
// Request documents: members, their shapes and errors.

import CLibrary
import TesseraEngine
import TesseraWire

/// A JSON object from the caller that has only known members.
struct RequestDocument {
  /// The maximum size of a request, in bytes.
  ///
  /// Longer requests are rejected.
  static let limit = 1 << 20

  private let members: JSONObject
  /// The path of a nested object, with a period at its end; empty for the request itself.
  let path: String

  /// Parses and validates a request.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter, for messages.
  ///   - accepted: The known members. Any other member is an error.
  ///   - isOptional: Whether NULL is treated as an empty object.
  /// - Throws: `fixRequest` if the text is not a JSON object or has unknown or duplicate members.
  init(
    _ text: UnsafePointer<CChar>?, _ name: String, accepting accepted: KnownMembers,
    isOptional: Bool = false
  ) throws(TesseraError) {
    guard let text else {
      guard isOptional else {
        throw TesseraError(
          .fixRequest, .missingParameter, "\(name) is NULL: pass a JSON object.")
      }
      try self.init(JSONObject(), name, accepting: accepted)
      return
    }
    let length = strnlen(text, RequestDocument.limit + 1)
    let bytes = UnsafeRawBufferPointer(start: text, count: length)
    try self.init(RequestDocument.object(Array(bytes), name), name, accepting: accepted)
  }

  /// Validates an object that is already parsed.
  private init(
    _ object: JSONObject, _ name: String, accepting accepted: KnownMembers, path: String = ""
  ) throws(TesseraError) {
    members = object
    self.path = path
    var names: Set<String> = []
    for member in members.members where !names.insert(member.name).inserted {
      throw TesseraError(
        .fixRequest, .invalidMember, "\(name) has \"\(member.name.prefix(100))\" twice.")
    }
    for member in members.members where !accepted.names.contains(member.name) {
      guard !accepted.reserved.contains(member.name) else {
        throw RequestDocument.unavailable("\"\(path)\(member.name)\"")
      }
      let unknown = String(member.name.prefix(100))
      throw TesseraError(
        .fixRequest, .unknownMember,
        "\(name) has an unknown member \"\(unknown)\". \(accepted.suggestion(for: unknown))")
    }
  }

  /// Returns the error for a member or a value that later versions add.
  private static func unavailable(_ feature: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .featureUnavailable,
      "\(feature) is not available in version \(TesseraVersion.text) of the library.")
  }

  private static func object(_ bytes: [UInt8], _ name: String) throws(TesseraError) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes, limits: .init(bytes: limit))
    } catch {
      throw notAnObject(name, "\(error.reason) at byte \(error.offset)")
    }
    guard let object = value.object else { throw notAnObject(name, "it is \(value.kind)") }
    return object
  }

  private static func notAnObject(_ name: String, _ reason: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidJSON, "\(name) is not a JSON object: \(reason).")
  }
}

extension RequestDocument {
  /// Returns a string; nil if the member is absent or null.
  func string(_ name: String) throws(TesseraError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw wrongType(name, "a string", value) }
    guard !text.utf8.contains(0) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(path)\(name)\" contains a NUL character.")
    }
    return text
  }

  /// Returns a nested document; nil if the member is absent or null.
  func nested<Members: RequestMembers>(_ name: String) throws(TesseraError) -> Members? {
    guard let object = try object(name) else { return nil }
    return Members(
      try RequestDocument(
        object, path + name, accepting: Members.known, path: "\(path)\(name)."))
  }

  /// Returns an object with any members; nil if the member is absent or null.
  func object(_ name: String) throws(TesseraError) -> JSONObject? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw wrongType(name, "an object", value) }
    return object
  }

  /// Returns a required string.
  func requiredString(_ name: String) throws(TesseraError) -> String {
    guard let text = try string(name) else { throw missingMember(name) }
    return text
  }

  /// Returns a boolean; nil if the member is absent or null.
  func bool(_ name: String) throws(TesseraError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let bool) = value else { throw wrongType(name, "a boolean", value) }
    return bool
  }

  /// Returns a nonnegative integer; nil if the member is absent or null.
  func count(_ name: String) throws(TesseraError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .number(let digits) = value else { throw wrongType(name, "a number", value) }
    guard let number = Int64(digits), number >= 0 else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"\(path)\(name)\" must be an integer from 0 to \(Int64.max), not \(digits.prefix(20)).")
    }
    return number
  }

  /// Returns a duration in milliseconds; nil if the member is absent or null.
  func milliseconds(_ name: String) throws(TesseraError) -> Duration? {
    try count(name).map { .milliseconds($0) }
  }

  /// Returns a duration in seconds; nil if the member is absent or null.
  func seconds(_ name: String) throws(TesseraError) -> Duration? {
    try count(name).map { .seconds($0) }
  }

  /// Returns a required integer, which may be negative.
  func requiredInteger(_ name: String) throws(TesseraError) -> Int64 {
    guard let value = value(name) else { throw missingMember(name) }
    guard let number = value.integer else { throw wrongType(name, "an integer", value) }
    return number
  }

  /// Returns the bytes of a required string of hexadecimal digits.
  func requiredHexadecimal(_ name: String) throws(TesseraError) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(try requiredString(name)) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(path)\(name)\" must be a string of hexadecimal digits.")
    }
    return bytes
  }

  /// Returns a key in Base64 or Base64url; nil if the member is absent or null.
  func storeKey(_ name: String) throws(TesseraError) -> StoreKey? {
    guard let text = try string(name) else { return nil }
    guard let bytes = Base64URL.decodeAnyAlphabet(text) else {
      throw TesseraError(.fixRequest, .invalidMember, "\"\(path)\(name)\" is not valid Base64.")
    }
    return StoreKey(bytes)
  }

  /// Returns an array of strings; nil if the member is absent or null.
  func strings(_ name: String) throws(TesseraError) -> [String]? {
    try value(name) == nil ? nil : requiredStrings(name)
  }

  /// Returns a required object with only string values.
  func requiredStringDictionary(_ name: String) throws(TesseraError) -> [String: String] {
    guard let dictionary = try stringDictionary(name) else { throw missingMember(name) }
    return dictionary
  }

  /// Returns a required array of strings.
  func requiredStrings(_ name: String) throws(TesseraError) -> [String] {
    guard let value = value(name) else { throw missingMember(name) }
    guard let list = value.array?.map(\.string), !list.contains(nil) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(path)\(name)\" must be an array of strings.")
    }
    return list.compactMap(\.self)
  }

  /// Returns a value of an enumeration; nil if the member is absent or null.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type, reserved: [String] = []
  ) throws(TesseraError) -> Choice? where Choice.RawValue == String {
    guard let text = try string(name) else { return nil }
    guard !reserved.contains(text) else {
      throw RequestDocument.unavailable("\"\(path)\(name)\": \"\(text)\"")
    }
    guard let choice = Choice(rawValue: text) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(path)\(name)\" must be one of \(Self.known(type)).")
    }
    return choice
  }

  /// Returns a required value of an enumeration.
  func requiredChoice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(TesseraError) -> Choice where Choice.RawValue == String {
    guard let choice = try choice(name, type) else { throw missingMember(name) }
    return choice
  }

  /// Returns an array of values of an enumeration; nil if the member is absent or null.
  func choices<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(TesseraError) -> [Choice]? where Choice.RawValue == String {
    guard value(name) != nil else { return nil }
    let choices = try requiredStrings(name).map { Choice(rawValue: $0) }
    guard !choices.contains(where: { $0 == nil }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"\(path)\(name)\" must be an array of these values: \(Self.known(type)).")
    }
    return choices.compactMap(\.self)
  }

  private static func known<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type
  ) -> String where Choice.RawValue == String {
    type.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  /// Returns the value of a member; nil if it is absent or null.
  func value(_ name: String) -> JSONValue? {
    members[name].flatMap { $0 == .null ? nil : $0 }
  }

  /// Returns the error for a member that is missing.
  func missingMember(_ name: String) -> TesseraError {
    TesseraError(.fixRequest, .missingParameter, "The member \"\(path)\(name)\" is missing.")
  }

  private func wrongType(_ name: String, _ wanted: String, _ value: JSONValue) -> TesseraError {
    TesseraError(
      .fixRequest, .invalidMember, "\"\(path)\(name)\" must be \(wanted), not \(value.kind).")
  }
}

extension RequestDocument {
  /// Returns an object with only string values; nil if the member is absent or null.
  ///
  /// - Throws: `fixRequest` if the member is not such an object, or if a name occurs twice in it.
  func stringDictionary(_ name: String) throws(TesseraError) -> [String: String]? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw invalidStringDictionary(name) }
    var stringDictionary: [String: String] = [:]
    for member in object.members {
      guard let text = member.value.string,
        stringDictionary.updateValue(text, forKey: member.name) == nil
      else { throw invalidStringDictionary(name) }
    }
    return stringDictionary
  }

  private func invalidStringDictionary(_ name: String) -> TesseraError {
    TesseraError(
      .fixRequest, .invalidMember,
      "\"\(path)\(name)\" must be an object with string values and without duplicate names.")
  }
}

/// The names of the members that a request may have.
struct KnownMembers {
  /// The names.
  let names: [String]
  /// Returns the members of nested objects that callers may expect in the request itself, with their paths.
  let moved: () -> [String: String]
  /// The members that later versions add.
  let reserved: [String]

  /// Returns the second sentence of the message about an unknown member.
  ///
  /// It names the new place of a member that moved, or else the most similar member, or else all members.
  func suggestion(for unknown: String) -> String {
    if let path = moved()[unknown] { return "Use \"\(path)\" instead." }
    if let name = nearest(to: unknown) { return "Did you mean \"\(name)\"?" }
    guard !names.isEmpty else { return "It accepts no members." }
    return "Known members: \(names.joined(separator: ", "))."
  }

  /// Returns the member with the smallest edit distance; nil if each one differs in more than a third of the letters.
  ///
  /// Case, underscores and hyphens do not count, so that the spellings of other languages are found.
  private func nearest(to unknown: String) -> String? {
    let letters = KnownMembers.letters(of: unknown)
    let distances = names.map { name in
      (name: name, distance: KnownMembers.distance(letters, KnownMembers.letters(of: name)))
    }
    let nearest = distances.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= letters.count / 3 ? $0.name : nil }
  }

  private static func letters(of name: String) -> [UInt8] {
    name.lowercased().utf8.prefix(100)
      .filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
  }

  /// Returns the number of insertions, deletions, replacements and transpositions between two texts.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        var least = min(next[column], last[column + 1]) + 1
        least = min(least, last[column] + (letter == otherLetter ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}

/// Typed access to the members of a request.
protocol RequestMembers {
  /// The names of the members.
  static var names: [String] { get }

  /// The members of nested objects that callers may expect in the request itself, with their paths.
  static var moved: [String: String] { get }

  /// The members that later versions add.
  static var reserved: [String] { get }

  /// The request.
  var document: RequestDocument { get }

  /// Creates access to a request with these members.
  init(document: RequestDocument)
}

extension RequestMembers {
  static var moved: [String: String] { [:] }

  static var reserved: [String] { [] }

  /// The known members.
  static var known: KnownMembers {
    KnownMembers(names: names, moved: { moved }, reserved: reserved)
  }

  /// Creates access to a request with these members.
  init(_ document: RequestDocument) { self.init(document: document) }

  /// Parses and validates a request.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter, for messages.
  ///   - isOptional: Whether NULL is treated as an empty object.
  /// - Throws: `fixRequest` if the text is not a JSON object or has unknown or duplicate members.
  init(
    _ text: UnsafePointer<CChar>?, _ name: String = "request", isOptional: Bool = false
  ) throws(TesseraError) {
    self.init(
      document: try RequestDocument(text, name, accepting: Self.known, isOptional: isOptional))
  }

  /// Returns the value of a member that other members make necessary.
  func required<Value>(_ name: String, _ value: Value?) throws(TesseraError) -> Value {
    guard let value else { throw document.missingMember(name) }
    return value
  }
}

/// A request with scopes.
protocol ScopedMembers {
  var scopes: [String]? { get throws(TesseraError) }
  var resource: String? { get throws(TesseraError) }
}

extension DeviceCodeRequestMembers: ScopedMembers {}
extension SignInOptionsMembers: ScopedMembers {}
extension SilentOptionsMembers: ScopedMembers {}

extension ScopedMembers {
  /// Returns the requested scopes: `scopes`, or the default scope of `resource`.
  func requestedScopes() throws(TesseraError) -> [String] {
    switch (try scopes, try resource) {
    case (let scopes?, nil): return scopes
    case (nil, let resource?): return [Scopes.defaultScope(at: resource)]
    case (nil, nil):
      throw TesseraError(
        .fixRequest, .missingParameter, "The member \"scopes\" is missing.")
    case (.some, .some):
      throw TesseraError(
        .fixRequest, .invalidMember, "Pass either \"scopes\" or \"resource\", not both.")
    }
  }
}

extension IntuneState {
  /// Reads the app-protection data of a configuration.
  init(_ members: IntuneOptionsMembers) throws(TesseraError) {
    try self.init(members.enrollmentIDs, members.mamResource, "intune.enrollment_ids")
  }

  /// Reads the app-protection data of a request to Microsoft Authenticator.
  init(_ members: AuthenticatorOptionsMembers) throws(TesseraError) {
    try self.init(
      members.intuneEnrollmentIDs, members.intuneMAMResource, "authenticator.intune_enrollment_ids")
  }

  /// Creates the state from two members.
  ///
  /// - Throws: `fixRequest` if the enrollments do not have the expected structure.
  init(
    _ enrollments: JSONObject?, _ resources: [String: String]?, _ name: String
  ) throws(TesseraError) {
    self.init()
    if let enrollments {
      guard let enrollments = IntuneEnrollments(enrollments) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"\(name)\" must be the object of the Intune library: {\"enrollment_ids\": [{…}]}.")
      }
      self.enrollments = enrollments
    }
    mamResources = resources ?? [:]
  }
}

extension StoreRequestMembers {
  /// Returns the timeout of a request without other members; nil if it is absent or the request is NULL.
  static func timeout(_ text: UnsafePointer<CChar>?) throws(TesseraError) -> Duration? {
    try StoreRequestMembers(text, isOptional: true).timeout
  }
}

extension SilentRequest {
  /// Parses "SilentRequest" of docs/c-interface.md without `explain`, for an explanation.
  init(explaining text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(ExplainRequestMembers(text).silentOptions)
  }

  /// Reads the members that all silent requests have in common.
  init(_ members: SilentOptionsMembers) throws(TesseraError) {
    self.init(
      homeAccountID: try members.homeAccountID ?? "",
      scopes: try members.requestedScopes())
    username = try members.username
    environment = try members.environment
    isForApplication = try members.forApplication ?? false
    authority = try members.authority
    forcesRefresh = try members.forceRefresh ?? false
    claims = try members.claims
    extraTokenParameters = try members.extraTokenParameters ?? [:]
    extraQueryParameters = try members.extraQueryParameters ?? [:]
    timeout = try members.timeout
    correlationID = try members.correlationID
    (traceparent, tracestate) = (try members.traceparent, try members.tracestate)
  }
}

extension DeviceCodeRequest {
  /// Parses "DeviceCodeRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try DeviceCodeRequestMembers(text)
    self.init(scopes: try members.requestedScopes())
    authority = try members.authority
    claims = try members.claims
    extraTokenParameters = try members.extraTokenParameters ?? [:]
    extraQueryParameters = try members.extraQueryParameters ?? [:]
    explains = try members.explain ?? false
    timeout = try members.timeout
    correlationID = try members.correlationID
    (traceparent, tracestate) = (try members.traceparent, try members.tracestate)
  }
}

extension AccountsRequest {
  /// Parses "AccountsRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try AccountsRequestMembers(text, isOptional: true)
    self.init()
    homeAccountID = try members.homeAccountID
    username = try members.username
    localAccountID = try members.localAccountID
    environment = try members.environment
    signedInOnly = try members.signedInOnly ?? true
    includesClaims = try members.claims ?? false
    timeout = try members.timeout
  }

  /// Parses "AccountRequest", which identifies one account.
  init(singleAccount text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(text)
    guard [homeAccountID, username, localAccountID].count(where: { $0 != nil }) == 1 else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "Pass exactly one of \"home_account_id\", \"username\" and \"local_account_id\".")
    }
  }
}

extension SignOutRequest {
  /// Parses "SignOutRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try SignOutRequestMembers(text)
    self.init(scope: try members.scope ?? .application)
    homeAccountID = try members.homeAccountID
    username = try members.username
    environment = try members.environment
    revokesTokens = try members.revokeTokens ?? false
    wantsEndSessionURL = try members.endSession ?? false
    postLogoutRedirectURI = try members.postLogoutRedirectURI
    fromBroker = try members.fromBroker ?? false
    authority = try members.authority
    timeout = try members.timeout
    correlationID = try members.correlationID
    (traceparent, tracestate) = (try members.traceparent, try members.tracestate)
  }
}
