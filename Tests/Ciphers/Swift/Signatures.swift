// SPDX-License-Identifier: MIT
// Verifies the signatures of the release builds with swift-crypto, and reads the keys and certificates of the vectors.

import Crypto
import CryptoExtras
import TesseraWire
import TestVectors

/// The comparison of keys, certificates and signatures.
enum Signatures {
  /// Compares all of them.
  ///
  /// Ends the program at the first difference.
  static func compare() throws {
    let keys = TestVector.all(in: "services", areas: "private_key")
    for vector in keys { try compareKey(vector) }
    let certificates = TestVector.all(in: "services", areas: "certificate", "pkcs12")
    for vector in certificates { compareCertificate(vector) }
    try checkMismatch()
    print("\(keys.count) keys, \(certificates.count) certificates: read as expected")
  }

  private static func compareKey(_ vector: TestVector) throws {
    let pem = vector.input["pem"]?.string ?? ""
    do throws(WireError) {
      let key = try ClientCertificate.privateKey(in: Secret(pem), passphrase: vector.passphrase)
      let supported = SignatureAlgorithm.allCases.filter(key.supports)
      let names = JSONValue.strings(supported.map(\.rawValue))
      require(names == vector.expected["algorithms"], "algorithms", vector)
      for algorithm in SignatureAlgorithm.allCases {
        let message = Array("message \(algorithm.rawValue)".utf8)
        let signature = key.sign(message, algorithm)
        require((signature != nil) == supported.contains(algorithm), "signature", vector)
        guard let signature, vector.passphrase == nil else { continue }
        require(
          isValid(signature, of: message, algorithm, pem), "verification by swift-crypto", vector)
      }
    } catch {
      require(error.code == vector.expected["error"]?.string, error.code, vector)
    }
  }

  private static func isValid(
    _ signature: [UInt8], of message: [UInt8], _ algorithm: SignatureAlgorithm, _ pem: String
  ) -> Bool {
    if algorithm == .es256 {
      guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      else { return false }
      return key.publicKey.isValidSignature(signature, for: message)
    }
    guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else { return false }
    return key.publicKey.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
      padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
  }

  private static func compareCertificate(_ vector: TestVector) {
    do throws(WireError) {
      let certificate = try read(vector)
      require(certificate.x5t == vector.expected["x5t"]?.string, "x5t", vector)
      require(certificate.x5tS256 == vector.expected["x5t#S256"]?.string, "x5t#S256", vector)
      require(JSONValue.strings(certificate.x5c) == vector.expected["x5c"], "x5c", vector)
    } catch {
      require(error.code == vector.expected["error"]?.string, error.code, vector)
    }
  }

  private static func read(_ vector: TestVector) throws(WireError) -> ClientCertificate {
    guard let pfx = vector.input["pfx"]?.string else {
      let pem = vector.input["pem"]?.string ?? ""
      return try ClientCertificate(certificates: pem, key: Secret(pem), passphrase: nil)
    }
    return try ClientCertificate(
      pfx: Base64URL.decodeAnyAlphabet(pfx) ?? [], passphrase: vector.passphrase)
  }

  /// Checks that a key with the certificate of another one is rejected.
  private static func checkMismatch() throws {
    let vectors = TestVector.all(in: "services", areas: "certificate", "private_key")
    guard let certificate = vectors.first(where: { $0.expected["x5c"] != nil }),
      let other = vectors.first(where: { $0.expected["algorithms"] == ["ES256"] })
    else { fatalError("services.json has no such vectors") }
    do throws(WireError) {
      _ = try ClientCertificate(
        certificates: certificate.input["pem"]?.string ?? "",
        key: Secret(other.input["pem"]?.string ?? ""), passphrase: nil)
      require(false, "the key of another certificate", other)
    } catch {
      require(error.code == "certificate_key_mismatch", error.code, other)
    }
  }

  private static func require(_ condition: Bool, _ name: String, _ vector: TestVector) {
    guard !condition else { return }
    fatalError("\(name) differs for \(vector.testDescription)")
  }
}

extension TestVector {
  /// The passphrase of the input; nil without one.
  fileprivate var passphrase: Secret? { input["passphrase"]?.string.map { Secret($0) } }
}
