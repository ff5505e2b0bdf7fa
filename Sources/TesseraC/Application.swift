// SPDX-License-Identifier: MIT
// Functions to create and free an application, and its metrics.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_application_create") @implementation
public func tessera_application_create(
  _ configuration: UnsafePointer<CChar>?, _ host: UnsafePointer<tessera_host>?,
  _ application: UnsafeMutablePointer<OpaquePointer?>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  application?.pointee = nil
  return CBridge.respond(response) { () throws(TesseraError) in
    guard let application else { throw CBridge.missing("application") }
    let functions = try HostCallbacks(host)
    let settings = try ApplicationConfiguration(configuration, functions)
    let object = try PublicClientApplication(settings, in: .real(settings))
    application.pointee = ApplicationHandle.make(
      object, ApplicationHandleData(functions), magicNumber: ApplicationHandle.magicNumber)
    return .object(JSONObject())
  }
}

@_cdecl("tessera_application_metrics") @implementation
public func tessera_application_metrics(
  _ application: OpaquePointer?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
    try ApplicationHandle.required(application).pointee.borrowed { $0.metrics().json }
  }
}

@_cdecl("tessera_application_free") @implementation
public func tessera_application_free(_ application: OpaquePointer?) {
  ApplicationHandle.free(application, magicNumber: ApplicationHandle.magicNumber)?.free()
}
