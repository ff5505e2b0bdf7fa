// SPDX-License-Identifier: MIT
// tessera_application_get_accounts, tessera_application_get_account, tessera_application_get_current_account, tessera_application_remove_account, tessera_application_sign_out.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

@_cdecl("tessera_application_get_accounts") @implementation
public func tessera_application_get_accounts(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  if request == nil, let response, let ready = ApplicationHandle.cachedAccounts(application) {
    response.pointee = ready
    return tessera_status(TESSERA_STATUS_OK)
  }
  return CBridge.respond(response) { () throws(TesseraError) -> UnsafeMutablePointer<CChar>? in
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let wanted = try AccountsRequest(request)
    var unlimited = wanted
    unlimited.timeout = nil
    return try handle.pointee.borrowed { application throws(TesseraError) in
      guard unlimited == AccountsRequest() else {
        let accounts = JSONValue.array(try application.accounts(wanted).map(\.json))
        return CBridge.copy(JSONValue.object(["accounts": accounts]).bytes)
      }
      let limits = application.limits(wanted.timeout)
      return try application.accountList(within: limits).text
    }
  }
}

@_cdecl("tessera_application_get_account") @implementation
public func tessera_application_get_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response, of: application, to: try AccountsRequest(singleAccount: request)) {
    application, wanted, _ throws(TesseraError) in
    ["account": try application.account(wanted).json]
  }
}

@_cdecl("tessera_application_get_current_account") @implementation
public func tessera_application_get_current_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response, of: application, to: try RequestDocument.timeout(request)) {
    application, timeout, _ throws(TesseraError) in
    try application.currentAccount(timeout: timeout).json
  }
}

@_cdecl("tessera_application_remove_account") @implementation
public func tessera_application_remove_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application,
    to: try RequestDocument(
      request, "request",
      accepting: ["home_account_id", "username", "environment", "timeout_milliseconds"])
  ) { application, document, _ throws(TesseraError) in
    let removed = try application.removeAccount(
      homeAccountID: document.requiredString("home_account_id"),
      username: document.string("username"), environment: document.string("environment"),
      timeout: document.milliseconds("timeout_milliseconds"))
    return ["removed": .bool(removed)]
  }
}

@_cdecl("tessera_application_sign_out") @implementation
public func tessera_application_sign_out(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ cancellation: OpaquePointer?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try SignOutRequest(request)
  ) { application, request, stop throws(TesseraError) in
    try application.signOut(request, cancellation: stop).json
  }
}
