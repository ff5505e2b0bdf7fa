// SPDX-License-Identifier: MIT
// The commands and their results, as JSON.

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// A command of the runner.
struct Command: Decodable, Sendable {
  /// The settings of an application.
  struct Configuration: Decodable, Sendable {
    let clientId: String
    let authority: String
    let authorityType: String
    let logLevel: Int32?
    let cloud: String?
    /// An unknown member.
    let clientid: String?
    let store: Store
  }

  /// The settings of its store.
  struct Store: Decodable, Sendable {
    let directory: String
    let group: String
    let keySources: [String]
  }

  /// The response of the transport of the host application.
  struct Transport: Decodable, Sendable {
    let status: Int?
    let error: String?
    let sent: Bool?
    let `throws`: String?
  }

  /// A token request.
  struct Request: Decodable, Sendable {
    let scopes: [String]
    let homeAccountId: String?
    let username: String?
    let forceRefresh: Bool?
    let timeoutMilliseconds: Int?

    var timeout: Duration? { timeoutMilliseconds.map { .milliseconds($0) } }
  }

  let `do`: String
  let configuration: Configuration?
  let transport: Transport?
  let request: Request?
  let asynchronous: Bool?
  let cancelAfterMilliseconds: Int?
  let interrupt: Bool?
  let `throws`: String?
  let count: Int?

  init(_ line: String) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(Command.self, from: Data(line.utf8))
  }
}

/// The result of a command, or a prompt.
struct Outcome: Encodable, Sendable {
  var status: String?
  var code: String?
  var claims: String?
  var token: String?
  var source: String?
  var username: String?
  var declined: [String]?
  var usernames: [String]?
  var lines: [String]?
  var tokens: Int?
  var descriptors: Int?
  var kilobytes: Int?
  var interrupted: Bool?
  var userCode: String?
  var skipped: String?

  /// Prints the outcome as one line.
  func write() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    print(String(decoding: try encoder.encode(self), as: UTF8.self))
    fflush(nil)
  }
}
