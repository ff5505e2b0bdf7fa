// SPDX-License-Identifier: MIT
// Desktop files of other applications, and redirect URLs that the desktop opens.

import TesseraEngine
import TesseraPlatform
import TesseraWire

/// Fuzzes a desktop entry with a command, a list of associations, or a delivered redirect.
func fuzzDesktop(_ input: FuzzInput) {
  switch input.choice {
  case 1: fuzzAssociations(input.bytes)
  case 2: fuzzRedirectDelivery(input)
  default: fuzzEntry(input)
  }
}

private func fuzzEntry(_ input: FuzzInput) {
  let text = EntryText(input.bytes)
  require(EntryText(text.bytes).bytes == text.bytes, "a file stays what it was")
  _ = DesktopEntry(text)
  let arguments = ExecLine.arguments(input.text)
  let again = ExecLine.arguments(ExecLine.text(arguments))
  require(again == arguments.map(doubled) + ["%u"], "a command is read as it was written")
}

/// Doubles the percent signs of a word, even those followed by a combining mark.
private func doubled(_ word: String) -> String {
  word.unicodeScalars.map { $0 == "%" ? "%%" : String($0) }.joined()
}

/// Checks that adding and removing one association changes nothing else.
private func fuzzAssociations(_ bytes: [UInt8]) {
  let (type, own, group) = ("x-scheme-handler/a", "own.desktop", "Default Applications")
  let before = EntryText(bytes)
  let added = AssociationList(before, of: type).adding(own)
  // The semicolon and a combining mark of the next value may form one character.
  let first = added.values(of: type, in: group).first?.unicodeScalars.prefix { $0 != ";" }
  require(first.map { String($0) } == own, "what was added comes first")
  require(
    AssociationList(added, of: type).adding(own).bytes == added.bytes, "adding again adds nothing")
  let rest = AssociationList(added, of: type).removing(own)
  require(
    AssociationList(rest, of: type).removing(own).bytes == rest.bytes, "what was removed is gone")
  for other in ["x-scheme-handler/b", "text/plain"] {
    require(
      rest.values(of: other, in: group) == before.values(of: other, in: group),
      "the choices for other types stay")
  }
}

private func fuzzRedirectDelivery(_ input: FuzzInput) {
  _ = DeliveredRedirectURL(input.text)
  _ = RedirectScheme(of: input.text)
  _ = DeliveredRedirectHandler.status(of: input.bytes)
  var reader = LoopbackRequestReader()
  var handler = DeliveredRedirectHandler()
  guard let request = try? reader.take(input.bytes) else { return }
  let reply: LoopbackReply
  switch handler.handle(request) {
  case .reply(let other): reply = other
  case .redirect(let redirect):
    let isOwn = AuthorizationResponse.state(of: redirect) == Secret("right")
    reply = handler.reply(isOwn ? .success : .foreign, to: redirect)
  }
  let status = DeliveredRedirectHandler.status(of: reply.bytes) ?? 0
  require(
    (status == DeliveredRedirectHandler.accepted) == handler.isOver,
    "only the deliverer of a redirect gets the result")
}
