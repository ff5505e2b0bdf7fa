// SPDX-License-Identifier: MIT
// Tests of the keys and certificates of applications.

import TesseraWire
import TestVectors
import Testing

@Suite struct ClientCertificateTests {
  @Test(arguments: TestVector.all(in: "services", areas: "private_key"))
  func `private keys are read in all common forms`(_ vector: TestVector) {
    do throws(WireError) {
      let key = try ClientCertificate.privateKey(
        in: Secret(vector.input["pem"]?.string ?? ""), passphrase: vector.passphrase)
      let algorithms = SignatureAlgorithm.allCases.filter(key.supports).map(\.rawValue)
      #expect(JSONValue.strings(algorithms) == vector.expected["algorithms"])
    } catch {
      #expect(error.code == vector.expected["error"]?.string)
    }
  }

  @Test(arguments: TestVector.all(in: "services", areas: "certificate"))
  func `certificates have the thumbprints and chains of RFC 7515`(_ vector: TestVector) {
    let pem = vector.input["pem"]?.string ?? ""
    vector.expect { () throws(WireError) in
      try ClientCertificate(certificates: pem, key: Secret(pem), passphrase: nil)
    }
  }

  @Test(arguments: TestVector.all(in: "services", areas: "pkcs12"))
  func `PKCS 12 files are read where BoringSSL is called`(_ vector: TestVector) throws {
    let pfx = try #require(Base64URL.decodeAnyAlphabet(vector.input["pfx"]?.string ?? ""))
    guard KeyStore.isSupported else {
      #expect(throws: WireError.self) {
        try ClientCertificate(pfx: pfx, passphrase: vector.passphrase)
      }
      return
    }
    vector.expect { () throws(WireError) in
      try ClientCertificate(pfx: pfx, passphrase: vector.passphrase)
    }
  }

  @Test func `a PEM text is written in lines of 64 characters`() throws {
    let block = PEMBlock(label: "PRIVATE KEY", bytes: Array(0...99))
    #expect(block.text.split(separator: "\n").allSatisfy { $0.count <= 64 })
    #expect(try PEMBlock.blocks(of: "Attributes: x\n\(block.text)\r\n") == [block])
  }

  @Test(arguments: [
    "-----BEGIN A-----\nAAAA\n-----END B-----\n", "-----END A-----\n",
    "-----BEGIN A-----\n-----BEGIN A-----\nAAAA\n-----END A-----\n",
    "-----BEGIN A-----\n-----END A-----\n",
  ])
  func `invalid PEM texts are rejected`(_ text: String) {
    #expect(throws: WireError.self) { try PEMBlock.blocks(of: text) }
  }
}

extension TestVector {
  /// The passphrase of the input; nil without one.
  fileprivate var passphrase: Secret? { input["passphrase"]?.string.map { Secret($0) } }

  /// Compares a certificate with the expected members, or its error with the expected code.
  fileprivate func expect(_ read: () throws(WireError) -> ClientCertificate) {
    do throws(WireError) {
      let certificate = try read()
      #expect(certificate.x5t == expected["x5t"]?.string)
      #expect(certificate.x5tS256 == expected["x5t#S256"]?.string)
      #expect(JSONValue.strings(certificate.x5c) == expected["x5c"])
    } catch {
      #expect(error.code == expected["error"]?.string)
    }
  }
}
