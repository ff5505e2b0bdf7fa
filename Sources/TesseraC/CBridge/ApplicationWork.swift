// SPDX-License-Identifier: MIT
// What most exports are: a request that is read, and an application that answers it.

import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

extension CBridge {
  /// Runs the work of an export on an application, and writes its answer.
  ///
  /// - Parameters:
  ///   - cancellation: stops the work; NULL for a call that nobody stops.
  ///   - request: reads the request, once the handles are known to be good.
  static func answer<Request>(
    _ response: Response, of application: OpaquePointer?,
    stoppedBy cancellation: OpaquePointer? = nil,
    to request: @autoclosure () throws(TesseraError) -> Request,
    _ work: (PublicClientApplication, Request, Cancellation?) throws(TesseraError) -> JSONValue
  ) -> tessera_status {
    answer(response) { () throws(TesseraError) -> JSONValue in
      try StackSpace.system.check(.call)
      let handle = try ApplicationHandle.required(application)
      let stop = try CancellationHandle.optional(cancellation)
      let request = try request()
      return try handle.pointee.borrowed { application throws(TesseraError) in
        try work(application, request, stop)
      }
    }
  }
}
