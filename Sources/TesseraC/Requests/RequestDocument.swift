// SPDX-License-Identifier: MIT
// A JSON request from C, validated: unknown and duplicate members are errors.

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
