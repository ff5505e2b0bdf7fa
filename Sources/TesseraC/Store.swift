// SPDX-License-Identifier: MIT
// tessera_application_get_store_info and tessera_application_rotate_store_key.

public import CTessera
import Tessera
import TesseraEngine

@_cdecl("tessera_application_get_store_info") @implementation
public func tessera_application_get_store_info(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try StoreRequestMembers.timeout(request)
  ) { application, timeout, stop throws(TesseraError) in
    let info = application.storeInfo(within: application.limits(timeout, stop))
    // A cancelled wait for the store or a key source is its problem.
    if stop?.isCancelled == true { throw .cancelled() }
    return info.json
  }
}

@_cdecl("tessera_application_rotate_store_key") @implementation
public func tessera_application_rotate_store_key(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try RotateKeyRequestMembers(request, isOptional: true)
  ) { application, members, stop throws(TesseraError) in
    let key = try members.newStoreKey
    let limits = application.limits(try members.timeoutMilliseconds, stop)
    return ["rotated": .bool(try application.rotateStoreKey(to: key, within: limits))]
  }
}
