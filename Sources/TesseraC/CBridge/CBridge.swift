// SPDX-License-Identifier: MIT
// The one place where Swift values and errors become a status and a JSON document.

import CTessera
import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where a function writes its one document.
typealias Response = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// What every export is built on.
enum CBridge {
  /// Runs an export's work and writes its answer.
  static func answer(
    _ response: Response, _ work: () throws(TesseraError) -> JSONValue
  ) -> tessera_status {
    answer(response) { () throws(TesseraError) -> [UInt8] in try work().bytes }
  }

  /// The same for an answer that is there as the bytes of its document.
  static func answer(
    _ response: Response, _ work: () throws(TesseraError) -> [UInt8]
  ) -> tessera_status {
    answer(response) { () throws(TesseraError) in copy(try work()) }
  }

  /// The same for an answer that is there as a C string for the caller; nil when memory ran out.
  static func answer(
    _ response: Response, _ work: () throws(TesseraError) -> UnsafeMutablePointer<CChar>?
  ) -> tessera_status {
    guard let response else { return tessera_status(Remedy.fixRequest.rawValue) }
    response.pointee = nil
    do throws(TesseraError) {
      response.pointee = try work()
      return tessera_status(TESSERA_OK)
    } catch {
      response.pointee = copy(error.json.bytes)
      return tessera_status(error.remedy.rawValue)
    }
  }

  /// The document that says nothing: an object without members.
  static let nothing = Array("{}".utf8)

  /// A C string of the bytes, which the caller frees; nil when memory ran out.
  static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    bytes.withUnsafeBytes { copy($0) }
  }

  /// A C string of the bytes, which the caller frees; nil when memory ran out.
  static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
    guard let memory = malloc(bytes.count + 1) else { return nil }
    if let start = bytes.baseAddress { memcpy(memory, start, bytes.count) }
    memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return memory.assumingMemoryBound(to: CChar.self)
  }

  /// The error for a parameter that is NULL, or for a handle that is none.
  static func missing(_ name: String) -> TesseraError {
    TesseraError(.fixRequest, .missingParameter, "\(name) is NULL, or no object of that kind.")
  }
}
