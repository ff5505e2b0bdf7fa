// SPDX-License-Identifier: MIT
// tessera_sso_extension_request, tessera_sso_extension_response and tessera_application_store_sso_extension_response.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

#if TesseraApple
  import TesseraApple
#endif

@_cdecl("tessera_sso_extension_request") @implementation
public func tessera_sso_extension_request(
  _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraApple
    CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
      try SSOExtensionRequest(request).json()
    }
  #else
    CBridge.respond(response, without: .apple)
  #endif
}

@_cdecl("tessera_sso_extension_response") @implementation
public func tessera_sso_extension_response(
  _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraApple
    CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
      try SSOExtensionOutcome(request).json()
    }
  #else
    CBridge.respond(response, without: .apple)
  #endif
}

@_cdecl("tessera_application_store_sso_extension_response") @implementation
public func tessera_application_store_sso_extension_response(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraApple
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try SSOExtensionCompletion(request)
    ) { application, completion, stop throws(TesseraError) -> TokenResult in
      try application.storeSSOExtensionTokens(completion, cancellation: stop)
    }
  #else
    CBridge.respond(response, without: .apple)
  #endif
}
