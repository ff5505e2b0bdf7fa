// SPDX-License-Identifier: MIT
// tessera_application: made, ended, and what its handle holds.

public import CTessera
import Tessera
import TesseraWire

/// The handle of an application.
typealias ApplicationHandle = Handle<PublicClientApplication, ApplicationExtra>

/// What an application's handle has besides.
struct ApplicationExtra {
  /// The answers that are ready.
  let answers: AnswerMemory
  /// The way to the host's functions; a hit does not count who refers to it.
  let host: Unmanaged<CallbackGuard>

  /// How long the end of an application waits for a function of the host, in milliseconds.
  private static let patience = 5_000

  init(_ functions: HostFunctions) {
    answers = AnswerMemory()
    host = Unmanaged.passRetained(functions.access)
  }

  /// Gives back everything; from then on no function of the host is called.
  func free() {
    answers.free()
    host.takeRetainedValue().close(waiting: ApplicationExtra.patience)
  }
}

extension Handle where Object == PublicClientApplication, Extra == ApplicationExtra {
  /// "TESSAPPL".
  static var mark: UInt64 { 0x5445_5353_4150_504C }

  /// The handle at a pointer.
  ///
  /// - Throws: `fixRequest` for NULL and for anything that is no application.
  static func required(
    _ pointer: OpaquePointer?
  ) throws(TesseraError) -> UnsafeMutablePointer<ApplicationHandle> {
    guard let handle = at(pointer, mark: mark) else { throw CBridge.missing("application") }
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
  return CBridge.answer(response) { () throws(TesseraError) in
    guard let application else { throw CBridge.missing("application") }
    let functions = try HostFunctions(host)
    let settings = try ApplicationConfiguration(configuration, functions)
    let object = try PublicClientApplication(settings)
    application.pointee = ApplicationHandle.make(
      object, ApplicationExtra(functions), mark: ApplicationHandle.mark)
    return .object(JSONObject())
  }
}

@_cdecl("tessera_application_free") @implementation
public func tessera_application_free(_ application: OpaquePointer?) {
  ApplicationHandle.free(application, mark: ApplicationHandle.mark)?.free()
}
