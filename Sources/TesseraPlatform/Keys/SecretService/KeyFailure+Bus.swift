// SPDX-License-Identifier: MIT
// Conversion of D-Bus failures to failures of the keyring.

import CLibrary
import TesseraEngine

extension KeyFailure {
  /// Runs a function that uses D-Bus and converts its failure.
  static func wrapping<Value>(
    _ body: () throws(BusFailure) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(BusFailure) {
      return try body()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// Converts a D-Bus failure.
  init(_ failure: BusFailure) {
    self =
      switch failure {
      case .libraryMissing(let problems):
        .refused(
          .libraryMissing,
          "it requires libsystemd 221 or newer (Debian, Ubuntu: libsystemd0): \(problems)")
      // Without a free descriptor, the state of the keyring is unknown. This must not lead to a weaker source.
      case .unreachable(let code) where TesseraError.isDescriptorLimit(code):
        .ended(.tooManyFiles("The session bus"))
      case .unreachable(let code):
        .refused(.noBus, "the session bus cannot be used: \(KeyFailure.reason(code))")
      case .invalidCall: .refused(.failed, "the call could not be created")
      case .errorReply(let name, _): KeyFailure.errorReply(name)
      case .unexpectedType, .tooLong:
        .refused(.failed, "its response violates the Secret Service specification")
      case .timeout: .timeout
      case .ended(let error): .ended(error)
      }
  }

  private static func reason(_ code: Int32) -> String {
    code == EPERM ? "it belongs to another user" : String(cString: strerror(code))
  }

  /// Converts an error response of the bus or a service.
  private static func errorReply(_ name: String) -> KeyFailure {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      .refused(.noService, "no Secret Service is running on the session bus")
    case "org.freedesktop.Secret.Error.IsLocked": .refused(.locked, "the keyring is locked")
    case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
      "org.freedesktop.DBus.Error.UnknownMethod":
      .refused(.noCollection, "the object does not exist: \(name)")
    case "org.freedesktop.DBus.Error.AccessDenied": .refused(.blocked, "it denies access: \(name)")
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
      .refused(.failed, "it exited during the call")
    default: .refused(.failed, "it returned the error \(name.prefix(100))")
    }
  }
}
