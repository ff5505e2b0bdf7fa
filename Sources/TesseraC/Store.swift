// SPDX-License-Identifier: MIT
// The functions for the store and for copies of it.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

#if TesseraMSALFile
  import TesseraMSALFile
#endif

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

@_cdecl("tessera_application_read_cache") @implementation
public func tessera_application_read_cache(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraMSALFile
    CBridge.respond(
      response, of: application, stoppedBy: cancellation,
      to: try StoreRequestMembers.timeout(request)
    ) { application, timeout, stop throws(TesseraError) in
      ["cache": .string(try application.readCache(within: application.limits(timeout, stop)))]
    }
  #else
    CBridge.respond(response, without: .msalFile)
  #endif
}

@_cdecl("tessera_application_write_cache") @implementation
public func tessera_application_write_cache(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraMSALFile
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try CacheWrite(request)
    ) { application, write, stop throws(TesseraError) in
      let limits = application.limits(write.timeout, stop)
      let report = try application.writeCache(
        before: write.before, after: write.after, within: limits)
      return [
        "stored": .integer(Int64(report.stored)), "removed": .integer(Int64(report.removed)),
      ]
    }
  #else
    CBridge.respond(response, without: .msalFile)
  #endif
}

@_cdecl("tessera_application_copy_sign_ins") @implementation
public func tessera_application_copy_sign_ins(
  _ application: OpaquePointer?, _ from: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ cancellation: OpaquePointer?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try CopyRequest(request)
  ) { application, request, stop throws(TesseraError) in
    guard let other = ApplicationHandle.at(from, magicNumber: ApplicationHandle.magicNumber) else {
      throw CBridge.missing("from")
    }
    let limits = application.limits(request.timeout, stop)
    return try other.pointee.borrowed { other throws(TesseraError) in
      try application.copy(from: other, request, within: limits).json
    }
  }
}

extension CopyRequest {
  /// Parses "CopyRequest" of docs/c-interface.md.
  fileprivate init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try CopyRequestMembers(text, isOptional: true)
    self.init()
    homeAccountID = try members.homeAccountID
    isDryRun = try members.dryRun ?? false
    timeout = try members.timeout
  }
}

#if TesseraMSALFile
  /// A change of the cache.
  private struct CacheWrite {
    let before: String
    let after: String
    let timeout: Duration?

    /// Parses "CacheWriteRequest" of docs/c-interface.md.
    init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
      let members = try CacheWriteRequestMembers(text)
      before = try members.before
      after = try members.after
      timeout = try members.timeout
    }
  }
#endif

@_cdecl("tessera_library_known_caches") @implementation
public func tessera_library_known_caches(
  _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraMSALFile
    CBridge.respond(response) { () throws(TesseraError) in
      let stop = try CancellationHandle.optional(cancellation)
      let timeout = try StoreRequestMembers.timeout(request)
      if stop?.isCancelled == true { throw .cancelled() }
      return try knownCaches(timeout: timeout, cancellation: stop).json
    }
  #else
    CBridge.respond(response, without: .msalFile)
  #endif
}

@_cdecl("tessera_contents_set") @implementation
public func tessera_contents_set(
  _ contents: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ version: UInt64
) {
  ContentsHandle.at(contents, magicNumber: ContentsHandle.magicNumber)?.pointee
    .borrowed { $0.set(bytes, size: size, version: version) }
}
