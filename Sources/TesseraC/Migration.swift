// SPDX-License-Identifier: MIT
// tessera_application_migrate and tessera_application_export_sign_ins.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

#if TesseraLegacy
  import TesseraLegacy
#endif

@_cdecl("tessera_application_migrate") @implementation
public func tessera_application_migrate(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?,
  _ size: Int, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraLegacy
    CBridge.respond(
      response, of: application, stoppedBy: cancellation,
      to: try MigrationRequest(request, data, size)
    ) { application, request, stop throws(TesseraError) in
      let limits = application.limits(request.timeout, stop)
      return try application.migrate(request, within: limits).json
    }
  #else
    CBridge.respond(response, without: .legacy)
  #endif
}

@_cdecl("tessera_application_export_sign_ins") @implementation
public func tessera_application_export_sign_ins(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?,
  _ size: Int, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraLegacy
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try ExportRequest(request, data, size)
    ) { application, request, stop throws(TesseraError) in
      let limits = application.limits(request.timeout, stop)
      return try application.exportSignIns(request, within: limits).json
    }
  #else
    CBridge.respond(response, without: .legacy)
  #endif
}

#if TesseraLegacy
  extension ExportRequest {
    /// Parses "ExportRequest" of docs/c-interface.md, and copies the older cache that is passed with it.
    fileprivate init(
      _ text: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int
    ) throws(TesseraError) {
      let members = try ExportRequestMembers(text)
      self.init(format: try members.format, data: try MigrationRequest.bytes(data, size))
      homeAccountID = try members.homeAccountID
      timeout = try members.timeout
    }
  }

  extension MigrationRequest {
    /// Copies the bytes from the caller.
    ///
    /// Returns an empty array for NULL.
    ///
    /// - Throws: `fixRequest` if they exceed the maximum size.
    fileprivate static func bytes(
      _ data: UnsafeRawPointer?, _ size: Int
    ) throws(TesseraError) -> [UInt8] {
      guard let data else { return [] }
      guard (0...MigrationRequest.largest).contains(size) else { throw MigrationRequest.tooLarge }
      return Array(UnsafeRawBufferPointer(start: data, count: size))
    }

    /// Parses "MigrationRequest" of docs/c-interface.md, and copies the older cache unless the request has its location.
    fileprivate init(
      _ text: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int
    ) throws(TesseraError) {
      let members = try MigrationRequestMembers(text, isOptional: true)
      let format = try members.format
      let isDryRun = try members.dryRun ?? false
      let timeout = try members.timeout
      switch (try members.path, try members.place, data) {
      case (let path?, nil, nil): try self.init(path: path, format: format)
      case (nil, let place?, nil): try self.init(place: place, format: format)
      case (nil, nil, .some):
        self.init(data: try MigrationRequest.bytes(data, size), format: format)
      default:
        throw TesseraError(
          .fixRequest, .missingParameter,
          "Pass the cache as data, or one of the members \"path\" and \"place\" of the request.")
      }
      self.isDryRun = isDryRun
      self.timeout = timeout
    }
  }
#endif
