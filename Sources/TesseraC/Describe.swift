// SPDX-License-Identifier: MIT
// tessera_describe_token.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_describe_token") @implementation
public func tessera_describe_token(
  _ token: UnsafePointer<CChar>?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    TokenDescription(Secret(try CBridge.text(token, "token"))).json
  }
}
