// SPDX-License-Identifier: MIT
// Trusted certificates.

import Foundation
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct TrustTests {
  @Test func `certificates are taken from the settings, or else from the environment`() {
    var settings = NetworkSettings()
    let environment = ["SSL_CERT_FILE": "/ssl", "SSL_CERT_DIR": "/dir", "CURL_CA_BUNDLE": ""]
    let found = TrustedCertificates(settings) { environment[$0] }
    #expect(found.file == "/ssl" && found.directory == "/dir")
    #expect(TrustedCertificates(settings) { $0 }.file == "CURL_CA_BUNDLE")
    #expect(TrustedCertificates(settings) { _ in nil }.file == nil)
    settings.certificateAuthorityFile = "/named"
    let named = TrustedCertificates(settings) { environment[$0] }
    #expect(named.file == "/named" && named.directory == nil)
  }

  @Test(.enabled(if: SecureServer.isAvailable, "openssl is not installed"))
  func `a missing certificate file is named in the error`() throws {
    let server = try SecureServer()
    var settings = NetworkSettings()
    settings.certificateAuthorityFile = "/nowhere/authorities.pem"
    let error = timed {
      _ = try CurlTransport(settings).send(.get(server.url), within: .none)
    }.error
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.message.contains("/nowhere/authorities.pem") == true)
  }

  @Test(arguments: ["fifo", "directory"])
  func `a certificate file that is not a regular file is rejected without blocking`(
    _ kind: String
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/authorities.pem"
    _ = kind == "fifo" ? mkfifo(path, 0o600) : mkdir(path, 0o700)
    let server = try LoopbackServer.responding("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    var settings = NetworkSettings()
    settings.certificateAuthorityFile = path
    let error = timed {
      _ = try CurlTransport(settings).send(.get(server.url("/")), within: .none)
    }.error
    #expect(error?.code == .certificateUntrusted && error?.remedy == .fixConfiguration)
    #expect(error?.message.contains("is not a regular file: \(path)") == true)
  }

  @Test(
    .enabled(if: SecureServer.isAvailable, "openssl is not installed"),
    arguments: CurlLibrary.names.filter { (try? CurlLibrary(names: [$0])) != nil })
  func `an untrusted certificate is rejected until its authority is configured`(library: String)
    throws
  {
    let server = try SecureServer()
    func send(_ settings: NetworkSettings) throws -> HTTPResponse {
      let transport = CurlTransport(settings, time: SystemTime(), libraryNames: [library])
      return try transport.send(.get(server.url), within: .none)
    }
    var settings = NetworkSettings()
    let error = timed { _ = try send(settings) }.error
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code == .certificateUntrusted)
    #expect(error?.message.contains("localhost:\(server.port)") == true)
    #expect(error?.message.contains("SSL_CERT_FILE") == true)
    #expect(error?.message.contains("Authority of a test") == true)
    #expect(error?.causes.first?.number == 60)
    #expect(error?.causes.first?.message.contains("Authority of a test") == true)
    settings.certificateAuthorityFile = server.certificateFile
    #expect(try send(settings).status == 200)
  }

  @Test(.enabled(if: SecureServer.isAvailable, "openssl is not installed"))
  func `a trusted certificate for another host is rejected`() throws {
    let server = try SecureServer()
    var settings = NetworkSettings()
    settings.certificateAuthorityFile = server.certificateFile
    let error = timed {
      _ = try CurlTransport(settings).send(
        .get("https://127.0.0.1:\(server.port)/"), within: .none)
    }.error
    #expect(error?.code == .certificateUntrusted)
  }
}
