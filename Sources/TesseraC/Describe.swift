// SPDX-License-Identifier: MIT
// tessera_token_describe.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_token_describe") @implementation
public func tessera_token_describe(
  _ token: UnsafePointer<CChar>?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    TokenDescription(Secret(try CBridge.text(token, "token"))).json
  }
}
