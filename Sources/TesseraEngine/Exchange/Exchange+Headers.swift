// SPDX-License-Identifier: MIT
// The header fields that Microsoft's servers understand; nobody else gets them.

import TesseraWire

extension Exchange {
  /// The header fields of a request to an authority, besides those of the message.
  ///
  /// The same correlation id goes with all requests of a call. Nothing is said of the machine, the system or the
  /// program. Of earlier calls something is said with token requests alone, and only if the program allows it.
  func headers(to authority: Authority) -> [HTTPHeader] {
    guard authority.isMicrosoft else { return [] }
    var headers = [
      HTTPHeader("client-request-id", correlationID),
      HTTPHeader("return-client-request-id", "true"),
      HTTPHeader("x-client-SKU", "Tessera"), HTTPHeader("x-client-Ver", Version.text),
    ]
    if authority.type == .entra, let mailbox = mailbox {
      headers.append(HTTPHeader("X-AnchorMailbox", mailbox))
    }
    return headers
  }

  /// The account in the form by which Entra finds its region, also while another one is down.
  private var mailbox: String? {
    guard let account = homeAccountID, let dot = account.firstIndex(of: ".") else { return nil }
    let parts = [account[..<dot], account[account.index(after: dot)...]]
    // It came out of a token response: what is not printable would end the header field.
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else { return nil }
    return "Oid:\(parts.joined(separator: "@"))"
  }
}
