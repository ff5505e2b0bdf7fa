// SPDX-License-Identifier: MIT
// Messages from the web view.

import TesseraPlatform

/// Fuzzes lines in one chunk and in chunks split at the position of the first byte.
///
/// From 200 on, a line of nearly maximum length precedes them.
func fuzzWebView(_ input: FuzzInput) {
  var bytes = input.bytes
  if input.choice >= 200 {
    let spare = Int(input.choice) - 200
    bytes =
      Array("answer ".utf8) + [UInt8](repeating: 0x61, count: WebViewLines.limit - spare) + bytes
  }
  var whole = WebViewLines()
  let messages = whole.messages(of: bytes)
  var pieces = WebViewLines()
  let cut = min(max(Int(input.choice), 1), bytes.count)
  var inPieces = pieces.messages(of: bytes.prefix(cut))
  for byte in bytes.dropFirst(cut).prefix(4096) { inPieces += pieces.messages(of: [byte]) }
  inPieces += pieces.messages(of: bytes.dropFirst(cut + 4096))
  require(messages == inPieces, "lines are the same however they are cut")
  require(whole.isBroken == pieces.isBroken, "what is no line is none however it is cut")
  require(messages.count <= bytes.count { $0 == 0x0A }, "each message is a line")
  if whole.isBroken {
    require(whole.messages(of: Array("closed\n".utf8)).isEmpty, "then it is over")
  }
}
