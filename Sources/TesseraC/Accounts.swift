// SPDX-License-Identifier: MIT
// tessera_get_accounts, tessera_get_account, tessera_remove_account.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_get_accounts") @implementation
public func tessera_get_accounts(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  if request == nil, let response,
    let ready = ApplicationHandle.readyAnswer(application, accountsQuestion)
  {
    response.pointee = ready
    return tessera_status(TESSERA_OK)
  }
  return Boundary.answer(response) { () throws(TesseraError) -> [UInt8] in
    let handle = try ApplicationHandle.required(application)
    let document = try RequestDocument(
      request, "request", accepting: ["timeout_milliseconds"], isOptional: true)
    let timeout = try document.count("timeout_milliseconds")
    let answer = try handle.pointee.borrowed { application throws(TesseraError) in
      try application.accountsAnswer(within: application.limits(timeout))
    }
    let list = answer.document
    handle.pointee.remember(
      list, answer.version.map { AnswerTruth($0) }, answering: accountsQuestion)
    return list
  }
}

/// Under what the list of the accounts is remembered; no request of a caller is like this.
private var accountsQuestion: UnsafePointer<CChar> {
  let text: StaticString = "accounts"
  return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("tessera_get_account") @implementation
public func tessera_get_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) in
    let handle = try ApplicationHandle.required(application)
    let document = try RequestDocument(
      request, "request",
      accepting: ["home_account_id", "username", "environment", "timeout_milliseconds"])
    let id = try document.string("home_account_id")
    let username = try document.string("username")
    let environment = try document.string("environment")
    let timeout = try document.count("timeout_milliseconds")
    return try handle.pointee.borrowed { application throws(TesseraError) in
      switch (id, username) {
      case (let id?, nil):
        let account = try application.account(
          homeAccountID: id, environment: environment, timeoutMilliseconds: timeout)
        return ["account": account.json]
      case (nil, let name?):
        let account = try application.account(
          username: name, environment: environment, timeoutMilliseconds: timeout)
        return ["account": account.json]
      default:
        throw TesseraError(
          .fixRequest, .invalidMember, "Give either \"home_account_id\" or \"username\".")
      }
    }
  }
}

@_cdecl("tessera_remove_account") @implementation
public func tessera_remove_account(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) in
    let handle = try ApplicationHandle.required(application)
    let document = try RequestDocument(
      request, "request", accepting: ["home_account_id", "environment", "timeout_milliseconds"])
    let id = try document.requiredString("home_account_id")
    let environment = try document.string("environment")
    let timeout = try document.count("timeout_milliseconds")
    return try handle.pointee.borrowed { application throws(TesseraError) in
      let removed = try application.removeAccount(
        homeAccountID: id, environment: environment, timeoutMilliseconds: timeout)
      return ["removed": .bool(removed)]
    }
  }
}
