// SPDX-License-Identifier: MIT
// The parts of a desktop entry that matter for opening URLs.

/// An application as registered on the desktop (Desktop Entry Specification 1.5).
package struct DesktopEntry: Sendable, Equatable {
  /// The arguments of its command; empty if D-Bus activates the application.
  package let command: [String]
  /// The MIME types that it opens.
  package let types: Set<String>
  /// The executable that must exist for the entry to be valid (`TryExec`); by default the first argument of the command.
  package let requiredExecutable: String?

  /// The main group of an entry.
  static let group = "Desktop Entry"
  /// The key that marks entries written by this library.
  static let registrationKey = "X-Tessera-Scheme"

  /// Parses an entry; nil if it is not an application, or is marked as deleted (`Hidden`).
  package init?(_ text: EntryText) {
    func value(_ key: String) -> String? { text.values(of: key, in: Self.group).first }
    guard value("Type") == "Application", value("Hidden") != "true" else { return nil }
    command = value("Exec").map { ExecLine.arguments($0.entryUnescaped) } ?? []
    guard !command.isEmpty || value("DBusActivatable") == "true" else { return nil }
    types = Set(value("MimeType")?.entryItems ?? [])
    requiredExecutable = value("TryExec")?.entryUnescaped ?? command.first
  }

  /// Returns the text of an entry for an application that opens URLs of a scheme.
  ///
  /// It is not shown in menus and has no startup notification.
  static func text(scheme: String, command: [String], name: String) -> String {
    """
    [\(group)]
    Type=Application
    Name=\(name.entryEscaped)
    Exec=\(ExecLine.text(command).entryEscaped)
    MimeType=\(SchemeType(scheme).text);
    NoDisplay=true
    StartupNotify=false
    Terminal=false
    \(registrationKey)=\(scheme)

    """
  }
}

/// The MIME type that represents a URL scheme.
package struct SchemeType: Sendable {
  /// `x-scheme-handler/` and the scheme.
  package let text: String

  package init(_ scheme: String) {
    text = "x-scheme-handler/" + scheme
  }
}
