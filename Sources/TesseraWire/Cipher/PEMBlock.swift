// SPDX-License-Identifier: MIT
// The PEM format of keys and certificates.

/// A block of a PEM text (RFC 7468).
package struct PEMBlock: Sendable, Equatable {
  /// The label, such as `CERTIFICATE`.
  package let label: String
  /// The contents.
  package let bytes: [UInt8]

  package init(label: String, bytes: [UInt8]) {
    self.label = label
    self.bytes = bytes
  }

  /// Parses the blocks of a text.
  ///
  /// Ignores other text before, between and after the blocks (section 2), such as the attributes that `openssl pkcs12`
  /// prints.
  ///
  /// - Throws: ``WireError`` with code `pem_invalid`.
  package static func blocks(of text: String) throws(WireError) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var open: (label: String, base64: String)?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = String(line).trimmed
      if let label = label(of: line, "BEGIN") {
        guard open == nil else { throw invalid("a block begins inside another one") }
        open = (label, "")
      } else if let label = label(of: line, "END") {
        guard let block = open, block.label == label else {
          throw invalid("an END line has no BEGIN line with the same label")
        }
        blocks.append(PEMBlock(label: label, bytes: try decoded(block.base64, label)))
        open = nil
      } else if open != nil {
        // The form of OpenSSL before 1.0 (RFC 1421), with its own encryption.
        guard !line.contains(":") else {
          throw invalid("a block has header lines: convert the key with `openssl pkcs8 -topk8`")
        }
        open?.base64 += line
      }
    }
    guard open == nil else { throw invalid("the last block has no END line") }
    return blocks
  }

  private static func label(of line: String, _ word: String) -> String? {
    let (prefix, suffix) = ("-----\(word) ", "-----")
    guard line.hasPrefix(prefix), line.hasSuffix(suffix),
      line.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    return String(line.dropFirst(prefix.count).dropLast(suffix.count))
  }

  private static func decoded(_ base64: String, _ label: String) throws(WireError) -> [UInt8] {
    guard let bytes = Base64URL.decodeAnyAlphabet(base64), !bytes.isEmpty else {
      throw invalid("the block \(label.plain(atMost: 40)) is empty or not base64")
    }
    return bytes
  }

  private static func invalid(_ reason: String) -> WireError {
    WireError("pem_invalid", "The PEM text is invalid: \(reason).")
  }

  /// The block as text.
  package var text: String {
    var lines = ["-----BEGIN \(label)-----"]
    var base64 = Base64URL.encodeStandard(bytes)[...]
    while !base64.isEmpty {
      lines.append(String(base64.prefix(64)))
      base64 = base64.dropFirst(64)
    }
    return (lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
  }
}
