// SPDX-License-Identifier: MIT
// A desktop entry, as far as it matters to who opens an address.

/// A program as desktops know it (Desktop Entry Specification 1.5).
package struct DesktopEntry: Sendable, Equatable {
  /// The words of its command; empty if D-Bus starts it.
  package let command: [String]
  /// What it opens.
  package let types: Set<String>
  /// The program that must be there for the entry to count; nil for the first word of the command.
  package let condition: String?

  /// The group of the entry proper.
  static let group = "Desktop Entry"
  /// The key by which this library knows its entries.
  static let mark = "X-Tessera-Scheme"

  /// Reads an entry; nil if it is none of a program, or stands for one that was removed.
  package init?(_ text: EntryText) {
    func value(_ key: String) -> String? { text.values(of: key, in: Self.group).first }
    guard value("Type") == "Application", value("Hidden") != "true" else { return nil }
    command = value("Exec").map { ExecLine.words($0.entryUnescaped) } ?? []
    guard !command.isEmpty || value("DBusActivatable") == "true" else { return nil }
    types = Set(value("MimeType")?.entryItems ?? [])
    condition = value("TryExec")?.entryUnescaped ?? command.first
  }

  /// The entry of a program that opens addresses of a scheme, as it is written.
  ///
  /// It is in no menu, and its window, if it has one, is not waited for.
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
    \(mark)=\(scheme)

    """
  }
}

/// The type under which desktops know addresses of a scheme.
package struct SchemeType: Sendable {
  /// `x-scheme-handler/` and the scheme.
  package let text: String

  package init(_ scheme: String) {
    text = "x-scheme-handler/" + scheme
  }
}
