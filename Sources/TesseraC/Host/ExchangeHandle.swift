// SPDX-License-Identifier: MIT
// The handle of a request that the host sends.

/// The handle of an exchange.
typealias ExchangeHandle = Handle<HostExchange, Void>

extension Handle where Object == HostExchange, Extra == Void {
  /// The magic number of an exchange handle: "TESSEXCH" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_4558_4348 }
}
