// SPDX-License-Identifier: MIT
// Conversion of Swift results and errors to a status and a JSON response.

import CLibrary
import CTessera
import TesseraEngine
import TesseraWire

/// The output parameter for the JSON response of a function.
typealias Response = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// Helpers that every exported function uses.
enum CBridge {
  /// Runs the work of an exported function and writes the result as a JSON response.
  static func respond(
    _ response: Response, _ work: () throws(TesseraError) -> JSONValue
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) -> [UInt8] in try work().bytes }
  }

  /// Runs the work of an exported function and writes a response that is already serialized.
  static func respond(
    _ response: Response, _ work: () throws(TesseraError) -> [UInt8]
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) in CallResponse(try work()) }
  }

  /// Runs the work of an exported function, writes its response and returns the status of the response.
  static func respond(
    _ response: Response, _ work: () throws(TesseraError) -> CallResponse
  ) -> tessera_status {
    respond(response) { status throws(TesseraError) in
      let result = try work()
      status = result.status
      return copy(result.document)
    }
  }

  /// Writes the response of a function whose feature this build does not have.
  static func respond(_ response: Response, without feature: MissingFeature) -> tessera_status {
    respond(response) { () throws(TesseraError) -> [UInt8] in throw feature.error }
  }

  /// Runs the work of an exported function and writes a response that is already a C string.
  ///
  /// The caller of the exported function owns the string. An error becomes a document with the member "error".
  ///
  /// - Parameter work: Returns the response, or nil if memory ran out. It may change the status of the response.
  /// - Returns: `TESSERA_STATUS_OK` or the status that the work set, the remedy of the error, or `fixRequest` without
  ///   running the work if `response` is NULL.
  static func respond(
    _ response: Response,
    _ work: (inout tessera_status) throws(TesseraError) -> UnsafeMutablePointer<CChar>?
  ) -> tessera_status {
    guard let response else { return tessera_status(TesseraError.Remedy.fixRequest.rawValue) }
    response.pointee = nil
    do throws(TesseraError) {
      var status = tessera_status(TESSERA_STATUS_OK)
      response.pointee = try work(&status)
      return status
    } catch {
      response.pointee = copy(error.json.bytes)
      return tessera_status(error.remedy.rawValue)
    }
  }

  /// The empty response: a JSON object without members.
  static let emptyResponse = Array("{}".utf8)

  /// Copies bytes to a NUL-terminated string, which the caller frees.
  ///
  /// Returns nil if memory ran out.
  static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    bytes.withUnsafeBytes { copy($0) }
  }

  /// Copies bytes to a NUL-terminated string, which the caller frees.
  ///
  /// Returns nil if memory ran out.
  static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
    guard let memory = malloc(bytes.count + 1) else { return nil }
    if let start = bytes.baseAddress { memcpy(memory, start, bytes.count) }
    memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return memory.assumingMemoryBound(to: CChar.self)
  }

  /// Frees a string of ``copy(_:)``; does nothing for nil.
  static func free(_ string: UnsafeMutablePointer<CChar>?) {
    guard let string else { return }
    // Responses contain tokens. Clear the memory before it is reused.
    explicit_bzero(string, strlen(string))
    systemFree(string)
  }

  /// Returns the error for a parameter that is NULL or is not a handle of the required type.
  static func missing(_ name: String) -> TesseraError {
    TesseraError(.fixRequest, .missingParameter, "\(name) is NULL or not a valid handle.")
  }
}

/// `free(3)`.
///
/// Inside ``CBridge`` the name refers to the method.
private func systemFree(_ memory: UnsafeMutableRawPointer) {
  free(memory)
}
