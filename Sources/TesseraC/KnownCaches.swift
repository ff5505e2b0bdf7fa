// SPDX-License-Identifier: MIT
// tessera_library_known_caches.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_library_known_caches") @implementation
public func tessera_library_known_caches(
  _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    let stop = try CancellationHandle.optional(cancellation)
    let timeout = try StoreRequestMembers.timeout(request)
    if stop?.isCancelled == true { throw .cancelled() }
    return try knownCaches(timeout: timeout, cancellation: stop).json
  }
}
