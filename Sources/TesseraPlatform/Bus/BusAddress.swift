// SPDX-License-Identifier: MIT
// The address of the session bus of this user.

import CLibrary
import CTesseraSystem
import TesseraWire

/// A bus address in the format of the D-Bus Specification.
package enum BusAddress {
  /// The maximum number of addresses that are tried.
  private static let maximumAddressCount = 8

  /// Returns the addresses in a list that are Unix sockets, joined to a list; nil if there are none.
  ///
  /// Other transports are skipped: `tcp:` would resolve a host name, and `unixexec:` and `autolaunch:` would start a program.
  static func local(in list: String) -> String? {
    let addresses = list.split(separator: ";").filter { address in
      ["unix:path=", "unix:abstract="].contains { address.hasPrefix($0) }
        || (address.hasPrefix("unix:")
          && (address.contains(",path=") || address.contains(",abstract=")))
    }
    return addresses.isEmpty ? nil : addresses.prefix(maximumAddressCount).joined(separator: ";")
  }

  /// The addresses of the session bus of this user.
  ///
  /// The value of `DBUS_SESSION_BUS_ADDRESS` if it is set. Otherwise the address that systemd uses, which is also valid in
  /// programs started by cron or over SSH.
  package static var session: String? {
    if let list = ctessera_environment("DBUS_SESSION_BUS_ADDRESS") {
      return String(validatingCString: list).flatMap { local(in: $0) }
    }
    let runtime = EnvironmentPath.named("XDG_RUNTIME_DIR") ?? "/run/user/\(geteuid())"
    return "unix:path=" + escaped(runtime + "/bus")
  }

  /// Escapes each byte of a value that the specification does not allow unescaped.
  static func escaped(_ value: String) -> String {
    value.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "-_/.\\*".utf8.contains(byte)
      guard !isPlain else { return String(Unicode.Scalar(byte)) }
      let digits = String(byte, radix: 16)
      return "%" + (digits.utf8.count == 1 ? "0" + digits : digits)
    }.joined()
  }
}
