// SPDX-License-Identifier: MIT
// tessera_migrate.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_migrate") @implementation
public func tessera_migrate(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?,
  _ size: Int, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response, of: application, to: try MigrationRequest(request, data, size)) {
    application, request, _ throws(TesseraError) in try application.migrate(request).json
  }
}

extension MigrationRequest {
  /// Reads "MigrationRequest" of docs/c-interface.md, and the cache beside it or at its path.
  fileprivate init(
    _ text: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request", accepting: ["path", "format", "dry_run", "timeout_milliseconds"],
      isOptional: true)
    switch (try document.string("path"), data) {
    case (let path?, nil): try self.init(path: path)
    case (nil, let data?):
      guard (0...MigrationRequest.largest).contains(size) else { throw MigrationRequest.tooLarge }
      self.init(data: Array(UnsafeRawBufferPointer(start: data, count: size)))
    default:
      throw TesseraError(
        .fixRequest, .missingParameter,
        "Give the cache either as data or as the member \"path\" of the request.")
    }
    format = try document.string("format")
    isDryRun = try document.bool("dry_run") ?? false
    timeoutMilliseconds = try document.count("timeout_milliseconds")
  }
}
