// SPDX-License-Identifier: MIT
// The helpers of programs that pass the URL of a service: tessera helper keyring and http.

import ArgumentParser
import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A replacement of the command `keyring` of the Python package.
///
/// For a service that is not listed, it prints nothing and its exit status is 1, like that of `keyring` without a
/// password.
struct HelperKeyring: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keyring",
    abstract: "Print the token of a package index, like the command keyring.",
    usage: "tessera helper keyring [<options>] <operation> <url> [<username>]",
    discussion: """
      pip and uv run a program named keyring. The tessera-identity package for Python contains a backend for the package \
      keyring, which runs this command.
      """)

  /// The values of the output.
  enum Mode: String, CaseIterable {
    /// The token.
    case password
    /// The user name and the token.
    case creds
  }

  /// The form of the output.
  enum Format: String, CaseIterable {
    /// A line for each value.
    case plain
    /// A JSON object with the members `username` and `password`.
    case json
  }

  @Argument(help: "The operation: get. Passwords are neither stored nor deleted.")
  var operation: String

  @Argument(help: "The URL of the package index.")
  var url: String

  @Argument(help: "The user name for Basic authentication.")
  var username: String?

  @Option(
    help: "The values: password, or creds for the user name and the token.",
    transform: { try StoreOptions.choice($0) })
  var mode = Mode.password

  @Option(
    help: "The output: plain or json.", transform: { try StoreOptions.choice($0) as Format })
  var output = Format.plain

  func validate() throws {
    guard operation == "get" else {
      throw ValidationError("The operation must be get: tokens come from \"tessera login\".")
    }
    guard username?.plain == username else {
      throw ValidationError("The user name contains a control character.")
    }
  }

  func run() throws {
    guard let entry = try HelperURL.entry(.keyring, try? ServiceAddress(parsing: url)) else {
      throw ExitCode(1)
    }
    try HelperCommand.run { () throws(TesseraError) in
      let token = try HelperURL.token(of: entry, as: .raw)
      let name = username ?? entry.login ?? HelperURL.standardLogin
      let username = mode == .creds ? name : nil
      switch output {
      case .plain: Output.printLine(lines: (username.map { "\($0)\n" } ?? "") + token)
      case .json:
        Output.printLine(
          JSONText.object([
            "username": username.map(JSONText.string), "password": .string(token),
          ]))
      }
    }
  }
}

/// The token of a request of an HTTP client.
struct HelperHTTP: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "http",
    abstract: "Print the Authorization header of a request to a listed service.",
    discussion: """
      Example:
        tessera helper http get https://app.example | curl -H @- https://app.example

      For a service that is not listed, the exit status is 1 and nothing is printed.
      """)

  @Argument(help: "The operation: get, or erase after the service refused the token.")
  var operation: String

  @Argument(help: "The URL of the request; - to read it from standard input.")
  var url: String

  func validate() throws {
    guard ["get", "erase"].contains(operation) else {
      throw ValidationError("The operation must be get or erase.")
    }
  }

  func run() throws {
    guard let entry = try HelperURL.entry(.http, address) else { throw ExitCode(1) }
    try HelperCommand.run { () throws(TesseraError) in
      if operation == "get" {
        Output.printLine(try HelperURL.token(of: entry, as: .header))
      } else {
        try HelperState(entry, Environment.current).recordRefusal()
      }
    }
  }

  /// The address of the request; nil if it is invalid.
  private var address: ServiceAddress? {
    // Other users can see the arguments, and the path of a URL may be a secret.
    let text =
      url == "-"
      ? DescriptorInput.bytes(of: STDIN_FILENO, maximum: 1 << 16)
        .flatMap { String(validating: $0.last == 0x0A ? $0.dropLast() : $0[...], as: UTF8.self) }
      : url
    return text.flatMap { try? ServiceAddress(ofRequest: $0) }
  }
}

/// The common part of the helpers with a URL.
private enum HelperURL {
  /// The user name for services that ignore it.
  static let standardLogin = "oauth2"

  /// Returns the entry of an address; nil if no token may be returned.
  static func entry(_ tool: HelperTool, _ address: ServiceAddress?) throws -> HelperEntry? {
    guard let address else { return nil }
    var entry: HelperEntry?
    try HelperCommand.run { () throws(TesseraError) in
      entry = try HelperListFile.current(Environment.current).read().entry(tool, address)
    }
    return entry
  }

  /// Returns the token of an entry.
  ///
  /// - Throws: `invalidMember` if it contains a control character.
  static func token(
    of entry: HelperEntry, as format: TokenFormat
  ) throws(TesseraError) -> String {
    let token = try HelperTokens(entry: entry, environment: .current).token(canPrompt: true)
    return try format.text(
      of: FormattedToken(accessToken: token.text, expiresAt: token.expiresAt))
  }
}

extension ServiceAddress {
  /// Parses the URL of a request, which may have a query and any path.
  ///
  /// A path that servers interpret differently, such as one with percent encoding, is replaced by the root. An entry
  /// with a path then does not cover the address.
  init(ofRequest url: String) throws(AddressError) {
    let ends = [UInt8(ascii: "?"), UInt8(ascii: "#")]
    let text = String(decoding: url.utf8.prefix { !ends.contains($0) }, as: UTF8.self)
    do throws(AddressError) {
      try self.init(parsing: text)
    } catch {
      guard let start = text.firstRange(of: "://")?.upperBound,
        let slash = text[start...].firstIndex(of: "/")
      else { throw error }
      try self.init(parsing: String(text[..<slash]))
    }
  }
}
