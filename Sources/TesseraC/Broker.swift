// SPDX-License-Identifier: MIT
// Functions for the broker of this machine.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

#if TesseraBroker
  import TesseraBroker
#endif

@_cdecl("tessera_application_get_broker_version") @implementation
public func tessera_application_get_broker_version(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraBroker
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try BrokerRequest(request)
    ) { application, request, stop throws(TesseraError) in
      ["version": .string(try application.brokerVersion(request, cancellation: stop))]
    }
  #else
    CBridge.respond(response, without: .broker)
  #endif
}

@_cdecl("tessera_application_get_broker_accounts") @implementation
public func tessera_application_get_broker_accounts(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraBroker
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try BrokerRequest(request)
    ) { application, request, stop throws(TesseraError) in
      let accounts = try application.brokerAccounts(request, cancellation: stop)
      return ["accounts": .array(accounts.map(\.json))]
    }
  #else
    CBridge.respond(response, without: .broker)
  #endif
}

@_cdecl("tessera_application_get_broker_sso_cookie") @implementation
public func tessera_application_get_broker_sso_cookie(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraBroker
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try BrokerCookieRequest(request)
    ) { application, request, stop throws(TesseraError) in
      let cookies = try application.brokerCookies(request, cancellation: stop)
      return ["cookies": .array(cookies.map(\.json))]
    }
  #else
    CBridge.respond(response, without: .broker)
  #endif
}

@_cdecl("tessera_application_get_broker_signed_http_request") @implementation
public func tessera_application_get_broker_signed_http_request(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  #if TesseraBroker
    CBridge.respond(
      response, of: application, stoppedBy: cancellation, to: try BrokerSigningRequest(request)
    ) { application, request, stop throws(TesseraError) in
      let signature = try application.brokerSignedRequest(request, cancellation: stop)
      return ["signed_http_request": .string(signature.reveal())]
    }
  #else
    CBridge.respond(response, without: .broker)
  #endif
}
