// SPDX-License-Identifier: MIT
// The header fields that are sent to Microsoft's servers only.

import TesseraWire

extension ServerClient {
  /// Returns the additional header fields of a request to an authority.
  ///
  /// All requests of a call have the same correlation ID. No information about the machine, the operating system or the
  /// application is sent. Telemetry about earlier calls is added to token requests only, if the configuration enables it.
  func headers(to authority: Authority) -> [HTTPHeader] {
    guard authority.isMicrosoft else { return [] }
    var headers = [
      HTTPHeader("client-request-id", correlationID),
      HTTPHeader("return-client-request-id", "true"),
      HTTPHeader("x-client-SKU", "Tessera"), HTTPHeader("x-client-Ver", TesseraVersion.text),
    ]
    if authority.type == .entra, let anchorMailbox = anchorMailbox {
      headers.append(HTTPHeader("X-AnchorMailbox", anchorMailbox))
    }
    return headers
  }

  /// The account in the form by which Entra routes the request to its region, even if another region is down.
  private var anchorMailbox: String? {
    guard let account = homeAccountID, let dot = account.firstIndex(of: ".") else { return nil }
    let parts = [account[..<dot], account[account.index(after: dot)...]]
    // The identifier came from a token response, so it may contain characters that are invalid in a header field.
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else { return nil }
    return "Oid:\(parts.joined(separator: "@"))"
  }
}
