// SPDX-License-Identifier: MIT
// The common steps of most exported functions: validate the handles, parse the request, run the work, write the
// response.

import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

extension CBridge {
  /// Runs the work of an exported function with an application, and writes its response.
  ///
  /// - Parameters:
  ///   - cancellation: Cancels the work, or NULL. If it was already cancelled, the work does not start.
  ///   - request: Parses the request. It runs after the handles were validated.
  /// - Returns: The status of the work, or `fixRequest` for an invalid handle or request.
  static func respond<Request>(
    _ response: Response, of application: OpaquePointer?,
    stoppedBy cancellation: OpaquePointer?,
    to request: @autoclosure () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> JSONValue
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) -> JSONValue in
      try run(application, cancellation, request, work)
    }
  }

  /// Runs the work of a token request with an application, and writes its result.
  ///
  /// The parameters are as for other work.
  ///
  /// - Returns: `TESSERA_STATUS_SIGN_IN` also for a result with declined scopes.
  static func respond<Request>(
    _ response: Response, of application: OpaquePointer?,
    stoppedBy cancellation: OpaquePointer?,
    to request: @autoclosure () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> TokenResult
  ) -> tessera_status {
    respond(response) { () throws(TesseraError) -> CallResponse in
      CallResponse(try run(application, cancellation, request, work))
    }
  }

  /// Validates the handles, parses the request and runs the work.
  private static func run<Request, Value>(
    _ application: OpaquePointer?, _ cancellation: OpaquePointer?,
    _ request: () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let request = try request()
    if stop?.isCancelled == true { throw .cancelled() }
    return try handle.pointee.borrowed { application throws(TesseraError) in
      try work(application, request, stop)
    }
  }
}
