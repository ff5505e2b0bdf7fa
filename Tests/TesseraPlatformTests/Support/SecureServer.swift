// SPDX-License-Identifier: MIT
// A server with a self-signed certificate for localhost: openssl as a process of its own.

import Foundation

/// Answers every request over TLS with a page, until it is released.
final class SecureServer {
  /// Whether this machine can run one.
  static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)

  private static let openssl = "/usr/bin/openssl"

  /// The port on the loopback interface.
  let port: Int
  /// The certificate, which is its own authority.
  let certificateFile: String
  private let directory: URL
  private let process = Process()

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    certificateFile = directory.appending(path: "certificate.pem").path
    let keyFile = directory.appending(path: "key.pem").path
    let making = Process()
    making.executableURL = URL(filePath: SecureServer.openssl)
    making.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/O=Authority of a test/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost",
      "-keyout", keyFile, "-out", certificateFile,
    ]
    making.standardError = FileHandle.nullDevice
    try making.run()
    making.waitUntilExit()

    let output = Pipe()
    process.executableURL = URL(filePath: SecureServer.openssl)
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-cert", certificateFile, "-key", keyFile, "-www",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    var found: Int?
    while found == nil, case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      found = text.firstMatch(of: /ACCEPT \S+:(\d+)\n/).flatMap { Int($0.output.1) }
    }
    guard let found else { throw CocoaError(.executableLoad) }
    port = found
  }

  deinit {
    // A thread that blocks signals may have started it, and it has inherited that.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: directory)
  }

  /// The address of the page.
  var url: String { "https://localhost:\(port)/" }
}
