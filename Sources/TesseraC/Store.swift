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
    to: try KeyRotation(request)
  ) { application, rotation, stop throws(TesseraError) in
    let limits = application.limits(rotation.timeout, stop)
    let rotated = try application.rotateStoreKey(to: rotation.newStoreKey, within: limits)
    return ["rotated": .bool(rotated)]
  }
}

/// A request to rotate the key of the store.
private struct KeyRotation {
  let newStoreKey: StoreKey?
  let timeout: Duration?

  /// Parses "RotateKeyRequest" of docs/c-interface.md.
  ///
  /// NULL is an empty request.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try RotateKeyRequestMembers(text, isOptional: true)
    newStoreKey = try members.newStoreKey
    timeout = try members.timeout
  }
}
