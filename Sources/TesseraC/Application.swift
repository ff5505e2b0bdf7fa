// SPDX-License-Identifier: MIT
// tessera_application: made, ended, and what its handle holds.

public import CTessera
import Tessera
import TesseraWire

/// The handle of an application, with the answers that are ready for it.
typealias ApplicationHandle = Handle<PublicClientApplication, AnswerMemory>

extension Handle where Object == PublicClientApplication, Extra == AnswerMemory {
  /// "TESSAPPL".
  static var mark: UInt64 { 0x5445_5353_4150_504C }

  /// The handle at a pointer.
  ///
  /// - Throws: `fixRequest` for NULL and for anything that is no application.
  static func required(
    _ pointer: OpaquePointer?
  ) throws(TesseraError) -> UnsafeMutablePointer<ApplicationHandle> {
    guard let handle = at(pointer, mark: mark) else { throw Boundary.missing("application") }
    return handle
  }
}

@_cdecl("tessera_application_create") @implementation
public func tessera_application_create(
  _ configuration: UnsafePointer<CChar>?, _ host: UnsafePointer<tessera_host>?,
  _ application: UnsafeMutablePointer<OpaquePointer?>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  application?.pointee = nil
  return Boundary.answer(response) { () throws(TesseraError) in
    guard let application else { throw Boundary.missing("application") }
    let settings = try ApplicationConfiguration(configuration, HostFunctions(host))
    let object = try PublicClientApplication(settings)
    application.pointee = ApplicationHandle.make(
      object, AnswerMemory(), mark: ApplicationHandle.mark)
    return .object(JSONObject())
  }
}

@_cdecl("tessera_application_free") @implementation
public func tessera_application_free(_ application: OpaquePointer?) {
  ApplicationHandle.free(application, mark: ApplicationHandle.mark)?.free()
}
