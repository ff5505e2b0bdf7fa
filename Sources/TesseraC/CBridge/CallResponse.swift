// SPDX-License-Identifier: MIT
// A response document with its status.

import CTessera
import Tessera
import TesseraEngine

/// The response of a call that did not fail.
struct CallResponse: Sendable {
  let document: [UInt8]
  let status: tessera_status

  /// Creates a response with the status `TESSERA_STATUS_OK`.
  init(_ document: [UInt8]) {
    self.init(document, TESSERA_STATUS_OK)
  }

  /// Creates the response of a token request.
  ///
  /// With declined scopes, the status is `TESSERA_STATUS_SIGN_IN`, so that no program overlooks them. The document is the
  /// result in both cases.
  init(_ result: TokenResult) {
    self.init(
      result.jsonBytes,
      result.declinedScopes.isEmpty ? TESSERA_STATUS_OK : TESSERA_STATUS_SIGN_IN)
  }

  private init(_ document: [UInt8], _ status: Int) {
    self.document = document
    self.status = tessera_status(status)
  }
}
