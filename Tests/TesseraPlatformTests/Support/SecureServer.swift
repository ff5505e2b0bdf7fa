// SPDX-License-Identifier: MIT
// A TLS server with a self-signed certificate for localhost, run by openssl as a separate process.

import Foundation

/// Serves a page over TLS for every request, until it is deinitialized.
final class SecureServer {
  /// Whether openssl is installed.
  static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)

  private static let openssl = "/usr/bin/openssl"

  /// The port on the loopback interface.
  let port: Int
  /// The path of the self-signed certificate.
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
    // The process may have inherited a signal mask from the starting thread.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: directory)
  }

  /// The URL of the page.
  var url: String { "https://localhost:\(port)/" }
}
