// SPDX-License-Identifier: MIT
// Trusted certificates.

import Foundation
import TesseraEngine
import TesseraWire
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

  /// Encodes a DER element with a length of one byte.
  private func der(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
    let all = content.flatMap { $0 }
    return [tag, UInt8(all.count)] + all
  }

  /// Encodes a TLS certificate message with one certificate that has only an issuer.
  private func message(_ issuer: [UInt8], version: [UInt8] = [], isLater: Bool = false) -> [UInt8] {
    let certificate = der(0x30, der(0x30, version, der(0x02, [1]), der(0x30), issuer))
    let entry = [0, 0, UInt8(certificate.count)] + certificate + (isLater ? [0, 0] : [])
    let list = (isLater ? [0] : []) + [0, 0, UInt8(entry.count)] + entry
    return [11, 0, 0, UInt8(list.count)] + list
  }

  private func attribute(_ number: UInt8, _ tag: UInt8, _ text: String) -> [UInt8] {
    der(0x31, der(0x30, der(0x06, [0x55, 0x04, number]), der(tag, Array(text.utf8))))
  }

  @Test func `the issuer is parsed from both forms of the TLS certificate message`() {
    let name = der(
      0x30, attribute(6, 0x13, "GB"), attribute(10, 0x0C, "Müller\n& Co"), attribute(9, 0x0C, "x"),
      attribute(3, 0x0C, "Root"))
    let found = "C=GB, O=Müller & Co, CN=Root"
    for version in [[], der(0xA0, der(0x02, [2]))] {
      #expect(CertificateIssuer.name(inMessage: message(name, version: version)) == found)
      let later = message(name, version: version, isLater: true)
      #expect(CertificateIssuer.name(inMessage: later) == found)
      // With missing or invalid bytes there is no name or a different one, but never a trap.
      for count in later.indices {
        #expect(CertificateIssuer.name(inMessage: later.prefix(count)) == nil)
        for bit in 0..<8 {
          var wrong = later
          wrong[count] ^= 1 << bit
          _ = CertificateIssuer.name(inMessage: wrong)
        }
      }
    }
    #expect(CertificateIssuer.name(inMessage: message(der(0x30))) == nil)
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
