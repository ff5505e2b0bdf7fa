// SPDX-License-Identifier: MIT
// The claims of an ID token, by name.

/// The claims of an ID token (OpenID Connect Core 2), by name.
///
/// ```swift
/// let objectID = token.idTokenClaims?.string("oid")
/// ```
public struct TokenClaims: Sendable, Hashable {
  /// The claims as a JSON object.
  package let members: JSONObject

  /// Creates the claims of a token.
  package init(_ members: JSONObject) {
    self.members = members
  }

  /// Parses a JSON object.
  ///
  /// Returns nil for any other text.
  public init?(json: String) {
    guard let members = (try? JSONValue(parsing: Array(json.utf8)))?.object else { return nil }
    self.members = members
  }

  /// The claims as JSON text.
  public var json: String { JSONValue.object(members).serialized }

  /// The names of the claims, in the order of the token.
  public var names: [String] { members.members.map(\.name) }

  /// Returns the claim with a name as text; nil if it is absent or not a string.
  public func string(_ name: String) -> String? { members[name]?.string }

  /// Returns the claim with a name as an integer; nil if it is absent or not a number.
  ///
  /// A fraction is truncated.
  public func integer(_ name: String) -> Int64? {
    guard case .number? = members[name] else { return nil }
    return members[name]?.integer
  }

  /// Returns the claim with a name as a Boolean; nil if it is absent or not a Boolean.
  public func bool(_ name: String) -> Bool? {
    guard case .bool(let value)? = members[name] else { return nil }
    return value
  }

  /// Returns the strings of a claim, such as `groups`; empty if it is absent.
  ///
  /// A single string counts as a list of one. Elements that are not strings are omitted.
  public func strings(_ name: String) -> [String] {
    switch members[name] {
    case .string(let text)?: [text]
    case .array(let elements)?: elements.compactMap(\.string)
    default: []
    }
  }
}

extension TokenClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the claims, without their values, which identify the user.
  public var description: String { "TokenClaims(\(names.joined(separator: ", ")))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the names of the claims.
  public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}
