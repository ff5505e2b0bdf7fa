// SPDX-License-Identifier: MIT
// tessera_application_get_store_info and tessera_application_rotate_store_key.

public import CTessera
import Tessera
import TesseraEngine

@_cdecl("tessera_application_get_store_info") @implementation
public func tessera_application_get_store_info(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response, of: application, to: try RequestDocument.timeout(request)) {
    application, timeout, _ in
    application.storeInfo(timeout: timeout).json
  }
}

@_cdecl("tessera_application_rotate_store_key") @implementation
public func tessera_application_rotate_store_key(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application,
    to: try RequestDocument(
      request, "request", accepting: ["new_store_key", "timeout_milliseconds"], isOptional: true)
  ) { application, document, _ throws(TesseraError) in
    let key = try document.storeKey("new_store_key")
    let timeout = try document.milliseconds("timeout_milliseconds")
    return ["rotated": .bool(try application.rotateStoreKey(to: key, timeout: timeout))]
  }
}
