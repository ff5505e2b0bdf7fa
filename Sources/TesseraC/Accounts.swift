// SPDX-License-Identifier: MIT
// Functions for the accounts of an application.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

@_cdecl("tessera_application_get_accounts") @implementation
public func tessera_application_get_accounts(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  if request == nil, cancellation == nil, let response,
    let ready = ApplicationHandle.cachedAccounts(application)
  {
    response.pointee = ready
    return tessera_status(TESSERA_STATUS_OK)
  }
  return CBridge.respond(response) { _ throws(TesseraError) -> UnsafeMutablePointer<CChar>? in
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let wanted = try AccountsRequest(request)
    if stop?.isCancelled == true { throw .cancelled() }
    var unlimited = wanted
    unlimited.timeout = nil
    return try handle.pointee.borrowed { application throws(TesseraError) in
      let limits = application.limits(wanted.timeout, stop)
      guard unlimited == AccountsRequest() else {
        let found = try application.accounts(wanted, within: limits)
        let accounts = JSONValue.array(found.map(\.json))
        return CBridge.copy(JSONValue.object(["accounts": accounts]).bytes)
      }
      return try application.accountList(within: limits).text
    }
  }
}

@_cdecl("tessera_application_get_account") @implementation
public func tessera_application_get_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try AccountsRequest(singleAccount: request)
  ) { application, wanted, stop throws(TesseraError) in
    let limits = application.limits(wanted.timeout, stop)
    return ["account": try application.account(wanted, within: limits).json]
  }
}

@_cdecl("tessera_application_get_current_account") @implementation
public func tessera_application_get_current_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try StoreRequestMembers.timeout(request)
  ) { application, timeout, stop throws(TesseraError) in
    try application.currentAccount(within: application.limits(timeout, stop)).json
  }
}

@_cdecl("tessera_application_remove_account") @implementation
public func tessera_application_remove_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try AccountRemoval(request)
  ) { application, removal, stop throws(TesseraError) in
    let removed = try application.removeAccount(
      homeAccountID: removal.homeAccountID,
      username: removal.username, environment: removal.environment,
      within: application.limits(removal.timeout, stop))
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

/// A request to remove an account.
private struct AccountRemoval {
  let homeAccountID: String
  let username: String?
  let environment: String?
  let timeout: Duration?

  /// Parses "RemoveAccountRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try RemoveAccountRequestMembers(text)
    homeAccountID = try members.homeAccountID
    username = try members.username
    environment = try members.environment
    timeout = try members.timeout
  }
}
