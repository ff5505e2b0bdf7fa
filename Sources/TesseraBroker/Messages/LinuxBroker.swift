// SPDX-License-Identifier: MIT
// The D-Bus names, methods and limits of the Linux identity broker.

import TesseraWire

/// The D-Bus interface of Microsoft's identity broker, which Himmelblau implements as well.
///
/// Newer brokers do not support introspection, so the names are constants. Each method takes three strings (the
/// protocol version, a correlation ID and a JSON object) and returns one string, a JSON object.
package enum LinuxBroker {
  /// The bus name.
  package static let service = "com.microsoft.identity.broker1"
  /// The object path.
  package static let path = "/com/microsoft/identity/broker1"
  /// The interface name.
  package static let interface = "com.microsoft.identity.Broker1"
  /// The only protocol version that clients send.
  ///
  /// A broker that requires another one reports it in its response.
  package static let protocolVersion = "0.0"

  /// A method of the broker.
  package enum Method: String, Sendable, CaseIterable {
    case interactive = "acquireTokenInteractively"
    case silent = "acquireTokenSilently"
    case accounts = "getAccounts"
    case removeAccount
    case cookie = "acquirePrtSsoCookie"
    case signedRequest = "generateSignedHttpRequest"
    case cancelInteractive = "cancelInteractiveFlow"
    case version = "getLinuxBrokerVersion"
  }

  /// The maximum size of a response, in bytes.
  ///
  /// A token takes a few thousand bytes, and each account in a list a few hundred.
  package static let maximumResponseSize = 4 << 20
}
