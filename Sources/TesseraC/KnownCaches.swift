// SPDX-License-Identifier: MIT
// tessera_library_known_caches.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_library_known_caches") @implementation
public func tessera_library_known_caches(
  _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    try knownCaches(timeout: try RequestDocument.timeout(request)).json
  }
}
