// SPDX-License-Identifier: MIT
// The list of services, which alone decides which service gets which token.

import Tessera

/// The list of services.
struct HelperList {
  /// The entries, in the order of the file.
  private(set) var entries: [HelperEntry] = []
  private var sections = TableSections()

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
        throw HelperList.invalid("line \(index + 1): \(error.message)")
      }
    }
    var known: Set<[String]> = []
    for entry in entries {
      try HelperList.check(entry)
      guard known.insert([entry.tool.rawValue, entry.url]).inserted else {
        throw HelperList.invalid(
          "\(entry.url) is listed twice for \(entry.tool.rawValue). Remove one of the entries.")
      }
    }
  }

  /// Returns the entry of an address; nil if it is not listed.
  ///
  /// Of several entries, the one with the longest path is returned.
  func entry(_ tool: HelperTool, _ address: ServiceAddress) -> HelperEntry? {
    entries.filter { $0.tool == tool && $0.covers(address) }
      .max { $0.url.utf8.count < $1.url.utf8.count }
  }

  /// Returns the entry of a resource of Azure; nil if it is not listed.
  func entry(resource: String, tenant: String?) -> HelperEntry? {
    let name = HelperList.normalized(resource: resource)
    return entries.first { entry in
      let authority = entry.registration.authority?.split(separator: "/").last.map(String.init)
      return entry.tool == .azure && entry.url.utf8.elementsEqual(name.utf8)
        && (tenant == nil || tenant == entry.registration.tenant ?? authority)
    }
  }

  /// Returns the entry with exactly the bytes of a name; nil if it is not listed.
  func entry(_ tool: HelperTool, named name: String) -> HelperEntry? {
    entries.first { $0.tool == tool && $0.url.utf8.elementsEqual(name.utf8) }
  }

  /// Returns a resource without the slash at its end, with which some programs send it.
  static func normalized(resource: String) -> String {
    resource.hasSuffix("/") ? String(resource.dropLast()) : resource
  }

  /// Adds an entry.
  mutating func add(_ entry: HelperEntry) {
    entries.append(entry)
    sections.addTable(["[[helper]]"] + HelperKey.allCases.compactMap { $0.line(of: entry) })
  }

  /// Removes an entry.
  ///
  /// - Returns: `false` if it is not listed.
  mutating func remove(_ tool: HelperTool, url: String) -> Bool {
    guard let index = entries.firstIndex(where: { $0.tool == tool && $0.url == url }) else {
      return false
    }
    entries.remove(at: index)
    sections.removeTable(at: index)
    return true
  }

  /// Returns the URL of an entry in its normal form.
  static func normalized(
    url: String, _ tool: HelperTool
  ) throws(AddressError) -> String {
    guard !tool.hasURL else {
      let address = try ServiceAddress(parsing: url)
      guard tool != .bazel || address.path.isEmpty else {
        throw AddressError("Bazel selects a helper by the host. Remove the path of the URL.")
      }
      return address.text
    }
    guard url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), !url.isEmpty, !url.hasPrefix("-")
    else { throw AddressError("The name contains a space or a control character.") }
    guard tool != .aws || RoleName(url) != nil else {
      throw AddressError("Write the ARN of a role, such as arn:aws:iam::123456789012:role/Name.")
    }
    return tool == .azure ? normalized(resource: url) : url
  }

  private static func check(_ entry: HelperEntry) throws(TesseraError) {
    let name = entry.url.isEmpty ? "An entry without url" : entry.url
    guard entry.registration.clientID != nil, !entry.scopes.isEmpty, !entry.url.isEmpty else {
      throw invalid("\(name) must have tool, url, client_id and scopes. Add them.")
    }
    guard entry.registration.tenant == nil || entry.registration.authority == nil else {
      throw invalid("\(name) has a tenant and an authority. Remove one of them.")
    }
    do throws(AddressError) {
      try checkForm(entry)
    } catch {
      throw invalid("the url \(entry.url): \(error.message)")
    }
  }

  /// Checks that an entry is in its normal form, and has what its program requires.
  static func checkForm(_ entry: HelperEntry) throws(AddressError) {
    let url = try normalized(url: entry.url, entry.tool)
    guard url == entry.url else { throw AddressError("Write it as \(url).") }
    guard entry.tool != .docker || (entry.login == nil) != (entry.exchange == nil) else {
      throw AddressError(
        "A registry requires --login with the user name that it expects, or --exchange acr.")
    }
    guard entry.login?.utf8.contains(UInt8(ascii: ":")) != true else {
      throw AddressError("The user name of --login must not contain a colon (RFC 7617).")
    }
    guard entry.tool == .docker || entry.exchange == nil else {
      throw AddressError("--exchange is for docker only.")
    }
    guard (entry.tool == .aws) == (entry.endpoint != nil) else {
      throw AddressError("--endpoint is for aws, which requires it.")
    }
    guard let endpoint = entry.endpoint else { return }
    let address = try ServiceAddress(parsing: endpoint)
    guard address.text == endpoint, address.path.isEmpty else {
      throw AddressError("Write the endpoint as https:// and a host.")
    }
  }

  /// The start of error messages, which ``HelperListFile`` replaces with its path.
  static let errorPrefix = "The list of services is invalid"

  private static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, "\(errorPrefix): \(message)")
  }

  private mutating func add(_ line: String, _ keys: inout Set<String>) throws(ProfileSyntaxError) {
    let isHeader = line == "[[helper]]" || line.utf8.elementsEqual("[[helper]]\r".utf8)
    if isHeader {
      entries.append(HelperEntry(tool: .git, url: ""))
      keys = []
    } else {
      switch try ProfileSyntax.parse(line) {
      case .blank: break
      case .table: throw ProfileSyntaxError("an entry starts with [[helper]].")
      case .entry(let key, let value):
        guard !entries.isEmpty else {
          throw ProfileSyntaxError("\"\(key)\" precedes the first [[helper]].")
        }
        guard keys.insert(key).inserted else {
          throw ProfileSyntaxError("\"\(key)\" is set twice. Remove one of the lines.")
        }
        try (ProfileSyntax.key(key) as HelperKey).set(value, in: &entries[entries.count - 1])
      }
    }
    sections.append(line, isHeader: isHeader)
  }
}

/// The file of the list.
struct HelperListFile {
  /// The name of the file in the configuration directory.
  static let name = "helpers.toml"

  private let file: ProtectedFile

  /// The absolute path.
  var path: String { file.path }

  /// Creates the file of an environment; nil if the user has no home directory.
  init?(_ environment: Environment) {
    guard let folder = environment.configurationDirectory else { return nil }
    file = ProtectedFile(path: "\(folder)/\(HelperListFile.name)")
  }

  /// Returns the file of an environment.
  static func current(_ environment: Environment) throws(TesseraError) -> HelperListFile {
    if let file = HelperListFile(environment) { return file }
    throw TesseraError(
      .fixConfiguration, .invalidConfiguration,
      "No home directory was found for the list of services. Set HOME or XDG_CONFIG_HOME.")
  }

  /// Reads the list.
  func read() throws(TesseraError) -> HelperList {
    try parsed(try file.read() ?? "")
  }

  /// Changes the list atomically.
  func update(_ change: (inout HelperList) throws(TesseraError) -> Void) throws(TesseraError) {
    try file.update { text throws(TesseraError) in
      var list = try parsed(text)
      try change(&list)
      // A value with a control character would make the file invalid.
      _ = try HelperList(parsing: list.text)
      return list.text
    }
  }

  private func parsed(_ text: String) throws(TesseraError) -> HelperList {
    do throws(TesseraError) {
      return try HelperList(parsing: text)
    } catch {
      var error = error
      error.message = error.message.replacing(HelperList.errorPrefix, with: path)
      throw error
    }
  }
}
