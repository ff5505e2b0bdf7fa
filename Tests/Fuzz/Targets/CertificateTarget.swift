// SPDX-License-Identifier: MIT
// Certificate messages of a TLS server before their verification.

import TesseraPlatform

/// Fuzzes a TLS `Certificate` message, or a certificate or name inside one.
func fuzzCertificate(_ input: FuzzInput) {
  switch input.choice {
  case 0: check(input.bytes)
  case 1: checkWhole(message([input.bytes], isTLS13: false))
  case 2: checkWhole(message([input.bytes], isTLS13: true))
  case 3: checkWhole(message([[], certificate(issuer: input.bytes)], isTLS13: true))
  default: checkWhole(message([certificate(issuer: input.bytes)], isTLS13: false))
  }
}

private func checkWhole(_ message: [UInt8]) {
  check(message)
  require(
    CertificateIssuer.name(inMessage: message.dropLast()) == nil, "half a message has no name")
}

private func check(_ message: [UInt8]) {
  guard let name = CertificateIssuer.name(inMessage: message) else { return }
  // 300 scalars and an ellipsis.
  require(name.unicodeScalars.count <= 301, "a name is short")
  require(
    !name.unicodeScalars.contains { $0.properties.generalCategory == .control },
    "a name is one line of text")
}

/// Returns a message with certificates, in the format of TLS 1.3 or of TLS 1.2.
private func message(_ certificates: [[UInt8]], isTLS13: Bool) -> [UInt8] {
  // TLS 1.3 adds a context at the start and extensions after each certificate. Both are empty here.
  var list: [UInt8] = []
  for certificate in certificates {
    list += sized(certificate, bytes: 3)
    if isTLS13 { list += [0, 0] }
  }
  let context: [UInt8] = isTLS13 ? [0] : []
  return [11] + sized(context + sized(list, bytes: 3), bytes: 3)
}

/// Returns a certificate with the given issuer content.
private func certificate(issuer: [UInt8]) -> [UInt8] {
  let signed = element(0x02, [1]) + element(0x30, []) + element(0x30, issuer)
  return element(0x30, element(0x30, signed))
}

private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
  content.count < 0x80
    ? [tag, UInt8(content.count)] + content : [tag, 0x82] + sized(content, bytes: 2)
}

/// Returns bytes with a length prefix of the given size.
private func sized(_ content: [UInt8], bytes: Int) -> [UInt8] {
  (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) } + content
}
