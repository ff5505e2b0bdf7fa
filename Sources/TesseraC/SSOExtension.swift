// SPDX-License-Identifier: MIT
// tessera_sso_extension_request, tessera_sso_extension_response and tessera_application_store_sso_extension_response.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_sso_extension_request") @implementation
public func tessera_sso_extension_request(
  _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
    try SSOExtensionRequest(request).json()
  }
}

@_cdecl("tessera_sso_extension_response") @implementation
public func tessera_sso_extension_response(
  _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
    try SSOExtensionOutcome(request).json()
  }
}

@_cdecl("tessera_application_store_sso_extension_response") @implementation
public func tessera_application_store_sso_extension_response(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try SSOExtensionCompletion(request)
  ) { application, completion, stop throws(TesseraError) -> TokenResult in
    try application.storeSSOExtensionTokens(completion, cancellation: stop)
  }
}
