// SPDX-License-Identifier: MIT
// Whose certificates are believed.

import Foundation
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct TrustTests {
  @Test func `certificates are named by the settings, else by the environment`() {
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
  func `a file of certificates that is not there is named`() throws {
    let server = try SecureServer()
    var settings = NetworkSettings()
    settings.certificateAuthorityFile = "/nowhere/authorities.pem"
    let error = timed {
      _ = try CurlTransport(settings).send(.get(server.url), within: .none)
    }.error
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.message.contains("/nowhere/authorities.pem") == true)
  }

  @Test(
    .enabled(if: SecureServer.isAvailable, "openssl is not installed"),
    arguments: CurlLibrary.names.filter { (try? CurlLibrary(names: [$0])) != nil })
  func `a certificate of nobody known is refused until its file is named`(library: String) throws {
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
    settings.certificateAuthorityFile = server.certificateFile
    #expect(try send(settings).status == 200)
  }

  @Test(.enabled(if: SecureServer.isAvailable, "openssl is not installed"))
  func `a trusted certificate of another host is refused`() throws {
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
