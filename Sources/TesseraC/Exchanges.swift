// SPDX-License-Identifier: MIT
// The handle of a request that the host sends: its response and its cancellation.

import CTessera
import TesseraEngine
import TesseraWire

/// The handle of an exchange.
typealias ExchangeHandle = Handle<HostExchange, Void>

extension Handle where Object == HostExchange, Extra == Void {
  /// The magic number of an exchange handle: "TESSEXCH" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_4558_4348 }
}

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
