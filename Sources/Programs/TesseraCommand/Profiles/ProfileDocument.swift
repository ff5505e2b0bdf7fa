// SPDX-License-Identifier: MIT
// The text of the profile file: parsing, and changes that keep comments.

import Tessera

/// The contents of the profile file, in the subset of TOML that docs/command-line.md describes.
///
/// A value is a basic string, or an array of basic strings on one line.
struct ProfileDocument {
  /// The name of the default profile; nil if none is set.
  private(set) var defaultName: String?
  /// The profiles, in the order of the file.
  private(set) var profiles: [(name: String, profile: Profile)] = []
  private var sections = TableSections()

  /// The profile of a name; nil if there is none.
  subscript(name: String) -> Profile? { profiles.first { $0.name == name }?.profile }

  /// The names of the profiles, in the order of the file.
  var names: [String] { profiles.map(\.name) }

  /// The name of the profile that is used without `--profile`: the default one, or the only one.
  var selectedName: String? {
    defaultName ?? (profiles.count == 1 ? profiles.first?.name : nil)
  }

  /// The text of the file.
  var text: String { sections.text }

  /// Parses a text.
  ///
  /// - Throws: `invalidConfiguration` with the number of the first invalid line.
  init(parsing text: String = "") throws(TesseraError) {
    var keys: Set<String> = []
    for (index, line) in ProfileSyntax.lines(of: text).enumerated() {
      do throws(ProfileSyntaxError) {
        try add(line, &keys)
      } catch {
        throw ProfileDocument.invalid("line \(index + 1): \(error.message)")
      }
    }
    for (name, profile) in profiles {
      if profile.registration.clientID == nil {
        throw ProfileDocument.invalid("the profile \"\(name)\" has no client_id. Add it.")
      }
      if profile.registration.tenant != nil && profile.registration.authority != nil {
        throw ProfileDocument.invalid(
          "the profile \"\(name)\" has a tenant and an authority. Remove one of them.")
      }
    }
    if let defaultName, self[defaultName] == nil {
      throw ProfileDocument.invalid(
        "the default profile \"\(defaultName)\" does not exist. Correct or remove the line \"default\"."
      )
    }
  }

  /// Adds a profile, or changes one; the first profile becomes the default one.
  mutating func set(_ name: String, to profile: Profile) {
    let index = profiles.firstIndex { $0.name == name } ?? profiles.count
    if index == profiles.count {
      profiles.append((name, profile))
      sections.addTable(["[profile.\(name)]"])
    }
    profiles[index].profile = profile
    for key in ProfileKey.allCases {
      sections.set(key.rawValue, to: key.value(in: profile), inTable: index)
    }
    if profiles.count == 1 { setDefault(name) }
  }

  /// Removes a profile.
  ///
  /// A default of this name is removed, too.
  mutating func remove(_ name: String) {
    guard let index = profiles.firstIndex(where: { $0.name == name }) else { return }
    profiles.remove(at: index)
    sections.removeTable(at: index)
    if defaultName == name { setDefault(nil) }
  }

  /// Sets the default profile.
  mutating func setDefault(_ name: String?) {
    defaultName = name
    sections.set("default", to: name.map { .string($0) }, inTable: nil)
  }

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .invalidConfiguration, "\(ProfileDocument.errorPrefix): \(message)")
  }

  /// The start of error messages, which ``ProfileFile`` replaces with its path.
  static let errorPrefix = "The profile file is invalid"

  private mutating func add(_ line: String, _ keys: inout Set<String>) throws(ProfileSyntaxError) {
    var isHeader = false
    switch try ProfileSyntax.parse(line) {
    case .blank: break
    case .table(let name):
      guard self[name] == nil else {
        throw ProfileSyntaxError("the profile \"\(name)\" exists twice. Remove one of them.")
      }
      profiles.append((name, Profile()))
      isHeader = true
      keys = []
    case .entry(let key, let value):
      guard keys.insert(key).inserted else {
        throw ProfileSyntaxError("\"\(key)\" is set twice. Remove one of the lines.")
      }
      if profiles.isEmpty {
        try setMember(key, value)
      } else {
        try (ProfileSyntax.key(key) as ProfileKey).set(
          value, in: &profiles[profiles.count - 1].profile)
      }
    }
    sections.append(line, isHeader: isHeader)
  }

  /// Sets a member before the first table.
  private mutating func setMember(
    _ key: String, _ value: ProfileSyntax.Value
  ) throws(ProfileSyntaxError) {
    guard key == "default" else {
      throw ProfileSyntaxError(
        "unknown key \"\(key)\". Only \"default\" can precede the first profile.")
    }
    defaultName = try value.string(of: key)
  }
}

/// A key of a profile.
enum ProfileKey: String, CaseIterable {
  case clientID = "client_id"
  case tenant
  case authority
  case authorityType = "authority_type"
  case scopes
  case group
  case username
  case redirectURI = "redirect_uri"

  /// Sets the value of a profile.
  fileprivate func set(
    _ value: ProfileSyntax.Value, in profile: inout Profile
  ) throws(ProfileSyntaxError) {
    guard self != .scopes else {
      profile.scopes = try value.strings(of: rawValue)
      return
    }
    let text = try value.string(of: rawValue)
    switch self {
    case .clientID: profile.registration.clientID = text
    case .tenant: profile.registration.tenant = text
    case .authority: profile.registration.authority = text
    case .authorityType:
      guard let type = AuthorityType(rawValue: text) else {
        let known = AuthorityType.allCases.map(\.rawValue).joined(separator: ", ")
        throw ProfileSyntaxError("\(rawValue) must be one of \(known).")
      }
      profile.registration.authorityType = type
    case .scopes: break
    case .group: profile.group = text
    case .username: profile.username = text
    case .redirectURI: profile.redirectURI = text
    }
  }

  /// The name in a table for users.
  var displayName: String {
    switch self {
    case .clientID: "client ID"
    case .redirectURI: "redirect URI"
    default: rawValue.replacing("_", with: " ")
    }
  }

  /// Returns the value in a profile as a text; nil if it is not set.
  func text(in profile: Profile) -> String? {
    switch self {
    case .clientID: profile.registration.clientID
    case .tenant: profile.registration.tenant
    case .authority: profile.registration.authority
    case .authorityType: profile.registration.authorityType?.rawValue
    case .scopes: profile.scopes.isEmpty ? nil : profile.scopes.joined(separator: " ")
    case .group: profile.group
    case .username: profile.username
    case .redirectURI: profile.redirectURI
    }
  }

  /// Returns the value in a profile; nil if it is not set.
  fileprivate func value(in profile: Profile) -> ProfileSyntax.Value? {
    self == .scopes ? .array(profile.scopes) : text(in: profile).map { .string($0) }
  }
}
