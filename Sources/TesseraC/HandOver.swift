// SPDX-License-Identifier: MIT
// tessera_library_hand_over_url.

public import CTessera
import Tessera
import TesseraEngine

@_cdecl("tessera_library_hand_over_url") @implementation
public func tessera_library_hand_over_url(
  _ url: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    let stop = try CancellationHandle.optional(cancellation)
    try RedirectSchemes.deliver(try CBridge.text(url, "url"), cancellation: stop)
    return CBridge.emptyResponse
  }
}
