// SPDX-License-Identifier: MIT
// The boundary to C: handles, and the conversion of Swift results and errors to a status and a JSON response.

import CLibrary
public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

/// The memory that an opaque C pointer refers to.
///
/// The object is used without changing its reference count. If two threads share that count, each change costs four
/// times as much as a cache hit.
struct Handle<Object: AnyObject, Extra> {
  private var magicNumber: UInt64
  private let object: Unmanaged<Object>
  /// The data of the handle in addition to the object.
  let extra: Extra

  /// Creates a handle, which retains the object.
  static func make(_ object: Object, _ extra: Extra, magicNumber: UInt64) -> OpaquePointer {
    let memory = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    memory.initialize(
      to: Handle(magicNumber: magicNumber, object: Unmanaged.passRetained(object), extra: extra))
    return OpaquePointer(memory)
  }

  /// Returns the handle at a pointer; nil if it is NULL, misaligned or has another magic number.
  static func at(_ pointer: OpaquePointer?, magicNumber: UInt64) -> UnsafeMutablePointer<Handle>? {
    guard let pointer, UInt(bitPattern: pointer) % UInt(MemoryLayout<Handle>.alignment) == 0 else {
      return nil
    }
    let handle = UnsafeMutablePointer<Handle>(pointer)
    return handle.pointee.magicNumber == magicNumber ? handle : nil
  }

  /// Runs `body` with the object, without retaining it.
  ///
  /// The caller of the C function must keep the handle alive during the call.
  func borrowed<Value, Failure: Error>(
    _ body: (Object) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The closure does not retain the object, and returns a thrown error as a value.
    try object._withUnsafeGuaranteedRef { object in
      do throws(Failure) {
        return Result<Value, Failure>.success(try body(object))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Frees a handle, releases its object and returns its additional data; nil if the pointer is not such a handle.
  static func free(_ pointer: OpaquePointer?, magicNumber: UInt64) -> Extra? {
    guard let handle = at(pointer, magicNumber: magicNumber) else { return nil }
    handle.pointee.magicNumber = 0
    let old = handle.move()
    handle.deallocate()
    old.object.release()
    return old.extra
  }
}

/// The handle of a cancellation.
typealias CancellationHandle = Handle<Cancellation, Void>

extension Handle where Object == Cancellation, Extra == Void {
  /// The magic number of a cancellation handle: "TESSSTOP" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_5354_4F50 }

  /// Returns the cancellation of the handle at a pointer; nil for NULL.
  ///
  /// - Throws: `fixRequest` if the pointer is not NULL and is not a cancellation.
  static func optional(_ pointer: OpaquePointer?) throws(TesseraError) -> Cancellation? {
    guard pointer != nil else { return nil }
    guard let handle = at(pointer, magicNumber: magicNumber) else {
      throw CBridge.missing("cancellation")
    }
    return handle.pointee.borrowed { $0 }
  }

  /// Whether a call with the pointer may start: it is NULL, or a cancellation that was not cancelled.
  static func allowsCall(_ pointer: OpaquePointer?) -> Bool {
    guard pointer != nil else { return true }
    return at(pointer, magicNumber: magicNumber)?.pointee.borrowed { !$0.isCancelled } ?? false
  }
}

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

/// The response of a call that did not fail.
struct CallResponse: Sendable {
  let document: [UInt8]
  let status: tessera_status

  /// Creates a response with the status `TESSERA_STATUS_OK`.
  init(_ document: [UInt8]) {
    self.init(document, TESSERA_STATUS_OK)
  }

  /// Creates the response of a token request.
  ///
  /// With declined scopes, the status is `TESSERA_STATUS_SIGN_IN`, so that no program overlooks them. The document is the
  /// result in both cases.
  init(_ result: TokenResult) {
    self.init(
      result.jsonBytes,
      result.declinedScopes.isEmpty ? TESSERA_STATUS_OK : TESSERA_STATUS_SIGN_IN)
  }

  private init(_ document: [UInt8], _ status: Int) {
    self.document = document
    self.status = tessera_status(status)
  }
}

@_cdecl("tessera_version") @implementation
public func tessera_version() -> UnsafePointer<CChar>? {
  UnsafeRawPointer(TesseraVersion.literal.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("tessera_version_number") @implementation
public func tessera_version_number() -> Int32 {
  TesseraVersion.text.split(separator: ".").reduce(0) { $0 &* 1000 &+ (Int32($1) ?? 0) }
}

@_cdecl("tessera_abi_version") @implementation
public func tessera_abi_version() -> Int32 {
  TESSERA_ABI_VERSION
}

@_cdecl("tessera_library_features") @implementation
public func tessera_library_features(
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
    ["features": .array(Features.names.map(JSONValue.string))]
  }
}

@_cdecl("tessera_string_free") @implementation
public func tessera_string_free(_ string: UnsafeMutablePointer<CChar>?) {
  CBridge.free(string)
}

@_cdecl("tessera_status_name") @implementation
public func tessera_status_name(_ status: tessera_status) -> UnsafePointer<CChar>? {
  let name: StaticString =
    switch Int(status) {
    case TESSERA_STATUS_OK: "ok"
    case TESSERA_STATUS_SIGN_IN: "sign_in"
    case TESSERA_STATUS_RETRY_LATER: "retry_later"
    case TESSERA_STATUS_FIX_REQUEST: "fix_request"
    case TESSERA_STATUS_FIX_CONFIGURATION: "fix_configuration"
    case TESSERA_STATUS_FIX_STORAGE: "fix_storage"
    case TESSERA_STATUS_CANCELLED: "cancelled"
    case TESSERA_STATUS_REPORT_BUG: "report_bug"
    default: "unknown"
    }
  return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("tessera_document_get_string") @implementation
public func tessera_document_get_string(
  _ document: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
  guard let text = CBridge.value(of: document, at: path)?.string, !text.utf8.contains(0) else {
    return nil
  }
  return CBridge.copy(Array(text.utf8))
}

@_cdecl("tessera_document_get_integer") @implementation
public func tessera_document_get_integer(
  _ document: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?, _ fallback: Int64
) -> Int64 {
  guard case .number(let digits) = CBridge.value(of: document, at: path) else { return fallback }
  return Int64(digits) ?? fallback
}

@_cdecl("tessera_string_quote") @implementation
public func tessera_string_quote(
  _ text: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
  guard let text, let valid = String(validatingCString: text) else { return nil }
  return CBridge.copy(JSONValue.string(valid).bytes)
}

extension CBridge {
  /// Returns the value at a JSON Pointer; nil if there is none, or a parameter is NULL or invalid.
  ///
  /// The size of the document is not limited: a response may contain a whole store.
  fileprivate static func value(
    of document: UnsafePointer<CChar>?, at path: UnsafePointer<CChar>?
  ) -> JSONValue? {
    guard let document, let path, let path = String(validatingCString: path),
      let pointer = JSONPointer(path)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: document, count: strlen(document))
    let value = try? JSONValue(parsing: Array(bytes), limits: .init(bytes: .max))
    return value.flatMap(pointer.value)
  }
}

@_cdecl("tessera_token_describe") @implementation
public func tessera_token_describe(
  _ token: UnsafePointer<CChar>?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    TokenDescription(Secret(try CBridge.text(token, "token"))).json
  }
}
