// SPDX-License-Identifier: MIT
// Requests to the loopback redirect URI, and pasted redirect URLs.

import TesseraEngine
import TesseraPlatform
import TesseraWire

/// Fuzzes a request in one chunk, and in two chunks split at the position of the first byte.
func fuzzLoopback(_ input: FuzzInput) {
  if input.choice == 9 { return fuzzAddress(input.text) }
  let whole = outcome(of: [input.bytes[...]])
  let cut = Int(input.choice)
  let pieces = outcome(of: [input.bytes.prefix(cut), input.bytes.dropFirst(cut)])
  require(whole == pieces, "a request is the same however it is cut")
  guard let address = LoopbackRedirectURI("http://localhost:1234/callback") else { return }
  var handler = LoopbackRedirectHandler(
    address, port: 1234, preferences: BrowserPreferences())
  let reply =
    switch whole {
    case .success(nil): [UInt8]("HTTP/1.1 ".utf8)
    case .failure(let error): handler.reply(to: error).bytes
    case .success(let request?):
      switch handler.handle(request) {
      case .reply(let reply): reply.bytes
      case .redirect(let redirect): handler.reply(browserReply(to: redirect), to: redirect).bytes
      }
    }
  require(reply.starts(with: "HTTP/1.1 ".utf8), "whatever comes is answered as HTTP has it")
  let text = String(decoding: reply, as: UTF8.self)
  require(!text.contains("<script"), "nothing of a request becomes a part of a page")
}

/// Parses a request in pieces; nil if it is incomplete.
private func outcome(
  of pieces: [ArraySlice<UInt8>]
) -> Result<LoopbackRequest?, LoopbackRequestError> {
  var reader = LoopbackRequestReader()
  do throws(LoopbackRequestError) {
    for piece in pieces {
      if let request = try reader.take(piece) { return .success(request) }
    }
    return .success(nil)
  } catch {
    return .failure(error)
  }
}

private func browserReply(to answer: RawAuthorizationResponse) -> BrowserReply {
  isRight(answer) ? .failure(TesseraError(.cancelled, .accessDenied, text(answer))) : .foreign
}

private func isRight(_ answer: RawAuthorizationResponse) -> Bool {
  FormFields(decoding: text(answer).split(separator: "?").last ?? "")["state"] == "right"
}

private func text(_ answer: RawAuthorizationResponse) -> String {
  switch answer {
  case .address(let secret), .form(let secret): secret.reveal()
  }
}

/// Fuzzes a loopback redirect URI, and a pasted response for it.
private func fuzzAddress(_ text: String) {
  _ = RawAuthorizationResponse(pasted: text, redirectURI: "http://localhost:1234")
  guard let address = LoopbackRedirectURI(text) else { return }
  let used = address.text(port: 4321)
  require(LoopbackRedirectURI(used)?.port == 4321, "with a port it is a redirect URI again")
  require(address.path.hasPrefix("/"), "there is always a path")
  require(address.matchesHost("localhost:4321", port: 4321), "this machine has its names")
}
