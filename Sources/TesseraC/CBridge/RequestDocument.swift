// SPDX-License-Identifier: MIT
// A request as it comes over the boundary: checked JSON, unknown members refused by name.

import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A JSON object of the caller, with the members that it may have.
struct RequestDocument {
  /// Longer requests are refused; no real one comes near.
  static let limit = 1 << 20

  private let members: JSONObject

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - name: what the parameter is called, for messages.
  ///   - accepted: the members that there are; any other one is a mistake that the caller must hear of.
  ///   - isOptional: whether NULL stands for an empty object.
  init(
    _ text: UnsafePointer<CChar>?, _ name: String, accepting accepted: [String],
    isOptional: Bool = false
  ) throws(TesseraError) {
    guard let text else {
      guard isOptional else {
        throw TesseraError(
          .fixRequest, .missingParameter, "\(name) is NULL; it must be a JSON object.")
      }
      try self.init(JSONObject(), name, accepting: accepted)
      return
    }
    let length = strnlen(text, RequestDocument.limit + 1)
    let bytes = UnsafeRawBufferPointer(start: text, count: length)
    try self.init(RequestDocument.object(Array(bytes), name), name, accepting: accepted)
  }

  /// Reads an object that is there already.
  private init(
    _ object: JSONObject, _ name: String, accepting accepted: [String]
  ) throws(TesseraError) {
    members = object
    var names: Set<String> = []
    for member in members.members where !names.insert(member.name).inserted {
      throw TesseraError(
        .fixRequest, .invalidMember, "\(name) has \"\(member.name.prefix(100))\" twice.")
    }
    for member in members.members where !accepted.contains(member.name) {
      throw TesseraError(
        .fixRequest, .unknownMember,
        "\(name) has an unknown member \"\(member.name.prefix(100))\". \(accepted.isEmpty ? "It has none." : "Known are: \(accepted.joined(separator: ", ")).")"
      )
    }
  }

  /// The milliseconds of a request that may say nothing else, or be NULL; nil for none.
  static func timeout(_ text: UnsafePointer<CChar>?) throws(TesseraError) -> Int64? {
    let name = "timeout_milliseconds"
    return try RequestDocument(text, "request", accepting: [name], isOptional: true).count(name)
  }

  private static func object(_ bytes: [UInt8], _ name: String) throws(TesseraError) -> JSONObject {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes, limits: .init(bytes: limit))
    } catch {
      throw notAnObject(name, "\(error.reason), at byte \(error.offset)")
    }
    guard let object = value.object else { throw notAnObject(name, "it is \(value.kind)") }
    return object
  }

  private static func notAnObject(_ name: String, _ reason: String) -> TesseraError {
    TesseraError(.fixRequest, .invalidJSON, "\(name) is not a JSON object: \(reason).")
  }
}

extension RequestDocument {
  /// A text; nil for a member that is absent or null.
  func string(_ name: String) throws(TesseraError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw wrongType(name, "a string", value) }
    guard !text.utf8.contains(0) else {
      throw TesseraError(.fixRequest, .invalidMember, "\"\(name)\" contains a NUL character.")
    }
    return text
  }

  /// An object inside; nil for a member that is absent or null.
  func document(
    _ name: String, accepting accepted: [String]
  ) throws(TesseraError) -> RequestDocument? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw wrongType(name, "an object", value) }
    return try RequestDocument(object, name, accepting: accepted)
  }

  /// A text that must be there.
  func requiredString(_ name: String) throws(TesseraError) -> String {
    guard let text = try string(name) else { throw absent(name) }
    return text
  }

  /// A truth value.
  func bool(_ name: String) throws(TesseraError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let bool) = value else { throw wrongType(name, "a boolean", value) }
    return bool
  }

  /// A whole number that is not negative.
  func count(_ name: String) throws(TesseraError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .number(let digits) = value else { throw wrongType(name, "a number", value) }
    guard let number = Int64(digits), number >= 0 else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"\(name)\" must be a whole number from 0 to \(Int64.max), not \(digits.prefix(20)).")
    }
    return number
  }

  /// A key in Base64.
  func storeKey(_ name: String) throws(TesseraError) -> StoreKey? {
    guard let text = try string(name) else { return nil }
    guard let bytes = Base64URL.decodeEither(text) else {
      throw TesseraError(.fixRequest, .invalidMember, "\"\(name)\" is not Base64.")
    }
    return StoreKey(bytes)
  }

  /// A list of texts; nil for a member that is absent or null.
  func strings(_ name: String) throws(TesseraError) -> [String]? {
    try value(name) == nil ? nil : requiredStrings(name)
  }

  /// A list of texts that must be there.
  func requiredStrings(_ name: String) throws(TesseraError) -> [String] {
    guard let value = value(name) else { throw absent(name) }
    guard let list = value.array?.map(\.string), !list.contains(nil) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(name)\" must be an array, and every element a string.")
    }
    return list.compactMap(\.self)
  }

  /// The scopes that are asked for: as a list, or as a resource at which everything is asked for.
  func scopes() throws(TesseraError) -> [String] {
    guard let resource = try string("resource") else { return try requiredStrings("scopes") }
    guard value("scopes") == nil else {
      throw TesseraError(
        .fixRequest, .invalidMember, "Give either \"scopes\" or \"resource\", not both.")
    }
    return [Scopes.everything(at: resource)]
  }

  /// One of the values of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(TesseraError) -> Choice? where Choice.RawValue == String {
    guard let text = try string(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "\"\(name)\" must be one of \(Self.known(type)).")
    }
    return choice
  }

  /// A list of values of an enumeration.
  func choices<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(TesseraError) -> [Choice]? where Choice.RawValue == String {
    guard value(name) != nil else { return nil }
    let choices = try requiredStrings(name).map { Choice(rawValue: $0) }
    guard !choices.contains(where: { $0 == nil }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"\(name)\" must be an array of values out of \(Self.known(type)).")
    }
    return choices.compactMap(\.self)
  }

  private static func known<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type
  ) -> String where Choice.RawValue == String {
    type.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  /// A member; null counts as absent.
  func value(_ name: String) -> JSONValue? {
    members[name].flatMap { $0 == .null ? nil : $0 }
  }

  private func absent(_ name: String) -> TesseraError {
    TesseraError(.fixRequest, .missingParameter, "The member \"\(name)\" is missing.")
  }

  private func wrongType(_ name: String, _ wanted: String, _ value: JSONValue) -> TesseraError {
    TesseraError(
      .fixRequest, .invalidMember, "\"\(name)\" must be \(wanted), not \(value.kind).")
  }
}
