// SPDX-License-Identifier: MIT
// Malicious caches that cost time or memory: many small parts, one large part, deep nesting.

import TesseraCache
import TesseraLegacy

/// A malicious cache of any size.
struct HostileCache {
  let name: String
  let format: LegacyFormat
  let make: @Sendable (_ size: Int) -> [UInt8]

  static var all: [HostileCache] { texts + propertyLists + dotNet }

  /// Returns a text with a beginning, an end, and as many repetitions of one part as fit.
  private static func repeated(
    _ name: String, _ format: LegacyFormat, _ start: String, _ part: String, _ end: String = ""
  ) -> HostileCache {
    HostileCache(name: name, format: format) { size in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size)
      bytes += start.utf8
      let (part, end) = (Array(part.utf8), Array(end.utf8))
      while bytes.count + part.count + end.count <= size { bytes += part }
      return bytes + end
    }
  }

  private static var texts: [HostileCache] {
    let entry = #"{"_authority":"https://a/b","_clientId":"c","userId":"u","refreshToken":"r"}"#
    let wide = "{" + String(repeating: #""a":0,"#, count: 100_000) + #""b":0}"#
    let line = #"{"account":"a","service":"b","type":2002,"value":"e30="}"#
    return [
      repeated("json-numbers", .adalPython, "[0", ",0", "]"),
      repeated("json-entries", .adalPython, "[\(entry)", ",\(entry)", "]"),
      repeated("json-wide", .adalPython, "[\(entry)", ",\(wide)", "]"),
      repeated("json-deep", .adalPython, "[", "["),
      repeated("json-string", .adalNode, #"{"_entries":[""#, "x", #""]}"#),
      repeated("json-members", .adalNode, "{", #""a":0,"#, #""_entries":[]}"#),
      repeated("json-lists", .msalMacOS, "{", #""a":0,"#, #""b":0}"#),
      repeated("json-records", .msalMacOS, #"{"Account":{"#, #""a":{},"#, #""b":{}}}"#),
      repeated("json-wide-records", .msalMacOS, #"{"Account":{"#, #""a":\#(wide),"#, #""b":{}}}"#),
      repeated("json-texts", .msalDotNet, #"[{"Key":"accounts","Value":["{}""#, #","{}""#, "]}]"),
      repeated("keychain-lines", .appleKeychain, line, "\n" + line),
      repeated("keychain-empty-lines", .appleKeychain, line, "\n{}"),
      repeated("keychain-line", .appleKeychain, #"{"value":""#, "AAAA", #""}"#),
      repeated("keychain-object", .appleKeychain, #"{"value":{"a":["#, "0,", "0]}}"),
      repeated("keychain-array", .appleKeychain, "[{}", ",{}", "]"),
      repeated("xml-values", .appleKeychain, "<plist><array>", "<true/>", "</array></plist>"),
      repeated(
        "xml-members", .appleKeychain, "<plist><array><dict>", "<key>a</key><true/>",
        "</dict></array></plist>"),
      repeated("xml-text", .appleKeychain, "<plist><string>", "x", "</string></plist>"),
      repeated(
        "xml-references", .appleKeychain, "<plist><string>", "&#x41;", "</string></plist>"),
      repeated("xml-comment", .appleKeychain, "<plist><!--", "-", "--><array/></plist>"),
      repeated("xml-comments", .appleKeychain, "<plist>", "<!---->", "<array/></plist>"),
      repeated("xml-deep", .appleKeychain, "<plist>", "<array>"),
      repeated("xml-element", .appleKeychain, "<plist><", "x"),
    ]
  }
}

extension HostileCache {
  /// Reads the cache.
  ///
  /// Returns its name, the milliseconds, the peak memory in megabytes, and the outcome.
  func read(megabytes: Int) -> String {
    let bytes = make(megabytes << 20)
    var detectedFormat: LegacyFormat?
    let first = Measured.milliseconds { detectedFormat = LegacyFormat.detectedFormat(in: bytes) }
    var count: Count?
    let second = Measured.milliseconds { count = Count(bytes, as: format) }
    let kind = detectedFormat?.rawValue ?? "nothing"
    let end = count?.end ?? "the end"
    return """
      \(name)\t\(first + second)\t\(Measured.peak)\tlooks like \(kind) (\(first) ms), \
      \(count?.good ?? 0) good, \(count?.damaged ?? 0) damaged, then \(end)
      """
  }
}
