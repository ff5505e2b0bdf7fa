// SPDX-License-Identifier: MIT
// Schemes of redirect URIs on this desktop: who opens them, and where what was opened is handed over.

import TesseraEngine
import TesseraPlatform

/// What a program does about a redirect URI with a scheme of its own, such as `com.example.app://auth`.
///
/// What an entry in Info.plist is to Apple's systems, a desktop entry with `MimeType=x-scheme-handler/<scheme>` is to Linux.
public enum RedirectSchemes {
  /// A program that opens addresses of a scheme.
  public struct Opener: Sendable, Hashable {
    /// The name of its desktop entry, such as `com.example.app.desktop`.
    public let id: String
    /// The file of the entry.
    public let path: String
    /// Its command, word by word; empty where D-Bus starts it.
    public let command: [String]
  }

  /// What was done to files.
  public struct Changes: Sendable, Hashable {
    /// The files that were written.
    public let written: [String]
    /// The files that were removed.
    public let removed: [String]
  }

  /// The program that this user's desktop opens addresses of a scheme with; nil if there is none.
  ///
  /// It is found as the MIME Applications Specification says; no program is asked.
  ///
  /// - Throws: ``TesseraError`` with code `invalid_redirect_uri` for what is no scheme of a program's own.
  public static func opener(of scheme: String) throws(TesseraError) -> Opener? {
    let scheme = try RedirectScheme(scheme)
    return SchemeLookup(.current).opener(of: scheme.name).map {
      Opener(id: $0.id, path: $0.path, command: $0.entry.command)
    }
  }

  /// Registers a program for a scheme, for this user: writes a desktop entry, and the user's choice of it.
  ///
  /// - Parameters:
  ///   - scheme: the scheme, such as `com.example.app`.
  ///   - command: the program, as an absolute path, and its arguments; the address that is opened comes behind them.
  ///   - name: how people know the program; a browser may show it.
  ///   - replaces: whether a program that opens the scheme now comes second.
  /// - Throws: ``TesseraError`` with code `invalid_redirect_uri`, `redirect_scheme_taken`, or
  ///   `redirect_scheme_not_registered` when the files cannot be written.
  public static func register(
    _ scheme: String, command: [String], name: String, replaces: Bool = false
  ) throws(TesseraError) -> Changes {
    let registration = SchemeRegistration(try RedirectScheme(scheme), .current)
    let changes = try registration.register(command, name: name, replaces: replaces)
    return Changes(written: changes.written, removed: changes.removed)
  }

  /// Takes back what ``register(_:command:name:replaces:)`` did; what others have registered stays.
  ///
  /// - Throws: ``TesseraError`` with code `invalid_redirect_uri`, or `redirect_scheme_not_registered` when the files cannot be
  ///   changed.
  public static func unregister(_ scheme: String) throws(TesseraError) -> Changes {
    let changes = try SchemeRegistration(try RedirectScheme(scheme), .current).unregister()
    return Changes(written: changes.written, removed: changes.removed)
  }

  /// Hands an address that this program was opened with to the sign-in of the same user that waits for it.
  ///
  /// - Parameters:
  ///   - url: the whole address.
  ///   - timeoutMilliseconds: until the call gives up; nil for ten seconds.
  ///   - cancellation: stops the call from another thread.
  /// - Throws: ``TesseraError`` with code `state_mismatch` when no sign-in waits for it: nothing was spent, and a sign-in
  ///   that was begun with ``PublicClientApplication/beginSignIn(_:cancellation:)`` can still be completed with it;
  ///   `too_many_open_files` when the process has no descriptor left.
  public static func handOver(
    _ url: String, timeoutMilliseconds: Int64? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) {
    let time = SystemTime()
    let limits = CallLimits(
      timeoutMilliseconds: timeoutMilliseconds, cancellation: cancellation, time: time)
    try RedirectDelivery(time: time).hand(over: url, within: limits)
  }
}
