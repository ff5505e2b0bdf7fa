// SPDX-License-Identifier: MIT
// The handle of an application and its contents.

import Tessera
import TesseraEngine

/// The handle of an application.
typealias ApplicationHandle = Handle<PublicClientApplication, ApplicationHandleData>

/// The data of an application handle in addition to the application object.
struct ApplicationHandleData {
  /// The guard of the host's callbacks.
  ///
  /// It is unmanaged, so that a cache hit does not touch its reference count.
  let host: Unmanaged<CallbackGuard>
  /// The clock of the host; nil without one.
  private let clock: Unmanaged<CallbackClock>?

  /// The maximum time for which ``free()`` waits for running callbacks, in milliseconds.
  ///
  /// It is shorter than the documented five seconds, because a thread may wake up late.
  private static let callbackTimeoutMilliseconds: Int64 = 4_800

  init(_ functions: HostCallbacks) {
    host = Unmanaged.passRetained(functions.callbackGuard)
    clock = functions.clock.map { Unmanaged.passRetained($0) }
  }

  /// Closes the callback guard.
  ///
  /// No callback starts afterwards.
  ///
  /// Waits up to five seconds for callbacks that are running on other threads.
  func free() {
    clock?.takeRetainedValue().detach()
    host.takeRetainedValue().close(waiting: ApplicationHandleData.callbackTimeoutMilliseconds)
  }
}

extension Handle where Object == PublicClientApplication, Extra == ApplicationHandleData {
  /// The magic number of an application handle: "TESSAPPL" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_4150_504C }

  /// Returns the application handle at a pointer.
  ///
  /// - Throws: `fixRequest` if the pointer is NULL or is not an application handle.
  static func required(
    _ pointer: OpaquePointer?
  ) throws(TesseraError) -> UnsafeMutablePointer<ApplicationHandle> {
    guard let handle = at(pointer, magicNumber: magicNumber) else {
      throw CBridge.missing("application")
    }
    return handle
  }
}
