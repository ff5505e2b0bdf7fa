// SPDX-License-Identifier: MIT
// tessera_exchange_respond and tessera_exchange_is_cancelled.

import CTessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_exchange_respond") @implementation
public func tessera_exchange_respond(
  _ exchange: OpaquePointer?, _ response: UnsafePointer<CChar>?
) {
  ExchangeHandle.at(exchange, magicNumber: ExchangeHandle.magicNumber)?.pointee
    .borrowed { $0.respond(response) }
}

@_cdecl("tessera_exchange_is_cancelled") @implementation
public func tessera_exchange_is_cancelled(_ exchange: OpaquePointer?) -> Int32 {
  let isCancelled = ExchangeHandle.at(exchange, magicNumber: ExchangeHandle.magicNumber)?.pointee
    .borrowed { $0.isCancelled }
  return isCancelled ?? true ? 1 : 0
}
