// SPDX-License-Identifier: MIT
// tessera_application_read_cache, tessera_application_write_cache and tessera_application_copy_sign_ins.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_application_read_cache") @implementation
public func tessera_application_read_cache(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try StoreRequestMembers.timeout(request)
  ) { application, timeout, stop throws(TesseraError) in
    ["cache": .string(try application.readCache(within: application.limits(timeout, stop)))]
  }
}

@_cdecl("tessera_application_write_cache") @implementation
public func tessera_application_write_cache(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
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
