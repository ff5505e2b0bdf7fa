// SPDX-License-Identifier: MIT
// Where the session bus of this user is to be reached.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The address of a bus, as the D-Bus specification writes it.
enum BusAddress {
  /// Addresses of a list that are tried; nobody's session has more.
  private static let most = 8

  /// The addresses of a list that lead to a socket of this machine, as a list again; nil for none.
  ///
  /// Others are left alone: `tcp:` would look up a name, `unixexec:` and `autolaunch:` would start a program.
  static func local(in list: String) -> String? {
    let addresses = list.split(separator: ";").filter { address in
      ["unix:path=", "unix:abstract="].contains { address.hasPrefix($0) }
        || (address.hasPrefix("unix:")
          && (address.contains(",path=") || address.contains(",abstract=")))
    }
    return addresses.isEmpty ? nil : addresses.prefix(most).joined(separator: ";")
  }

  /// The addresses of the session bus of this user.
  ///
  /// What the environment says, or else where systemd has it, which a program that was started by cron or over SSH finds as
  /// well.
  static var session: String? {
    if let list = ctessera_environment("DBUS_SESSION_BUS_ADDRESS") {
      return String(validatingCString: list).flatMap { local(in: $0) }
    }
    let runtime = StoreLocation.environment("XDG_RUNTIME_DIR") ?? "/run/user/\(geteuid())"
    return "unix:path=" + escaped(runtime + "/bus")
  }

  /// A value with every byte escaped that the specification does not let stand for itself.
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
