// SPDX-License-Identifier: MIT
// Registration of custom URI schemes on a Linux desktop, and delivery of opened redirect URLs.

import TesseraEngine
import TesseraPlatform

/// Functions for redirect URIs with a custom scheme, such as `com.example.app://auth`.
///
/// On Linux, a desktop entry with `MimeType=x-scheme-handler/<scheme>` has the role of an Info.plist entry on Apple
/// platforms.
public enum RedirectSchemes {
  /// A program that is registered for a scheme.
  public struct Opener: Sendable, Hashable {
    /// The name of its desktop entry, such as `com.example.app.desktop`.
    public let id: String
    /// The file of the entry.
    public let path: String
    /// The command with its arguments; empty if D-Bus starts the program.
    public let command: [String]

    /// Creates the description of a program.
    public init(id: String, path: String, command: [String]) {
      self.id = id
      self.path = path
      self.command = command
    }
  }

  /// The changes to files.
  public struct Changes: Sendable, Hashable {
    /// The files that were written.
    public let written: [String]
    /// The files that were removed.
    public let removed: [String]

    /// Creates a list of changes.
    public init(written: [String], removed: [String] = []) {
      self.written = written
      self.removed = removed
    }
  }

  /// Returns the program that this user's desktop opens URLs of a scheme with; nil if there is none.
  ///
  /// The lookup follows the MIME Applications Specification and starts no other program.
  ///
  /// - Throws: ``TesseraError`` with the code `invalid_redirect_uri` if the text is not a custom scheme.
  public static func opener(of scheme: String) throws(TesseraError) -> Opener? {
    let scheme = try RedirectScheme(scheme)
    return SchemeLookup(.current).opener(of: scheme.name).map {
      Opener(id: $0.id, path: $0.path, command: $0.entry.command)
    }
  }

  /// Registers a program for a scheme, for this user: writes a desktop entry and makes it the default.
  ///
  /// - Parameters:
  ///   - scheme: The scheme, such as `com.example.app`.
  ///   - command: The absolute path of the program, and its arguments. The opened URL is appended.
  ///   - name: The display name of the program. A browser may show it.
  ///   - replaces: Whether to replace another program that is the present default for the scheme.
  /// - Throws: ``TesseraError`` with the code `invalid_redirect_uri`, `redirect_scheme_taken`, or
  ///   `redirect_scheme_not_registered` if the files cannot be written.
  public static func register(
    _ scheme: String, command: [String], name: String, replaces: Bool = false
  ) throws(TesseraError) -> Changes {
    let registration = SchemeRegistration(try RedirectScheme(scheme), .current)
    let changes = try registration.register(command, name: name, replaces: replaces)
    return Changes(written: changes.written, removed: changes.removed)
  }

  /// Reverts ``register(_:command:name:replaces:)``.
  ///
  /// Registrations of other programs are kept.
  ///
  /// - Throws: ``TesseraError`` with the code `invalid_redirect_uri`, or `redirect_scheme_not_registered` if the files
  ///   cannot be changed.
  public static func unregister(_ scheme: String) throws(TesseraError) -> Changes {
    let changes = try SchemeRegistration(try RedirectScheme(scheme), .current).unregister()
    return Changes(written: changes.written, removed: changes.removed)
  }

  /// Delivers a redirect URL that this program was opened with to the pending sign-in of the same user.
  ///
  /// - Parameters:
  ///   - url: The complete URL.
  ///   - timeout: The timeout; by default ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError`` with the code `state_mismatch` if no pending sign-in matches. The code was not
  ///   redeemed, so that a sign-in begun with ``PublicClientApplication/beginSignIn(_:cancellation:)`` can still be
  ///   completed with the URL. `too_many_open_files` if the process has no free file descriptor.
  public static func deliver(
    _ url: String, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) {
    let time = SystemTime()
    let limits = CallLimits(
      timeout: timeout, cancellation: cancellation, time: time)
    try RedirectDelivery(time: time).deliver(redirectURL: url, within: limits)
  }
}
