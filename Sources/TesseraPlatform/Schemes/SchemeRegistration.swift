// SPDX-License-Identifier: MIT
// Registration of a URL scheme for the user: a desktop entry, and the default application in mimeapps.list.

import CLibrary
package import TesseraEngine

/// The registration of a URL scheme for a user.
package struct SchemeRegistration {
  /// The files that were changed.
  package struct Changes: Sendable, Equatable {
    /// The files that were written or already had the required content.
    package var written: [String] = []
    /// The files that were removed.
    package var removed: [String] = []
  }

  private let folders: DesktopDirectories
  private let scheme: RedirectScheme

  package init(_ scheme: RedirectScheme, _ folders: DesktopDirectories) {
    self.scheme = scheme
    self.folders = folders
  }

  /// The ID of the desktop entry.
  package var id: String { "tessera-\(scheme.name).desktop" }

  /// Returns the associations of the scheme in a mimeapps.list file.
  private func choices(_ text: EntryText) -> AssociationList {
    AssociationList(text, of: SchemeType(scheme.name).text)
  }

  /// Registers an application for the scheme.
  ///
  /// - Parameters:
  ///   - command: The absolute path of the executable, and its arguments. The URL is appended.
  ///   - name: The display name of the application.
  ///   - replaces: Whether to replace another application as the default.
  /// - Throws: `redirectSchemeTaken` if another application opens the scheme and `replaces` is false;
  ///   `redirectSchemeNotRegistered` if the files cannot be written, or a file with higher precedence has a different default.
  package func register(
    _ command: [String], name: String, replaces: Bool
  ) throws(TesseraError) -> Changes {
    guard let program = command.first, program.hasPrefix("/"),
      // The specification forbids `=` there, and GLib does not find an executable with a percent sign.
      !program.contains("="), !program.contains("%"),
      !(command + [name]).contains(where: SchemeRegistration.hasControlCharacters)
    else {
      throw failure(
        "the program must be an absolute path without = and %, and no value may contain control characters."
      )
    }
    let lookup = SchemeLookup(folders)
    if let other = lookup.opener(of: scheme.name), other.id != id, !replaces {
      throw TesseraError(
        .fixConfiguration, .redirectSchemeTaken,
        "The scheme \(scheme.name) is opened by \(other.id) (\(other.path)): choose another scheme, or replace "
          + "its registration.")
    }
    let entry = try entryPath()
    guard let associations = folders.associations else { throw noHome }
    let contents = DesktopEntry.text(scheme: scheme.name, command: command, name: name)
    try change(associations) { () throws(TesseraError) in
      let choices = choices(try text(at: associations)).adding(id)
      try write(Array(contents.utf8), to: entry)
      try write(choices.bytes, to: associations)
    }
    guard let opener = lookup.opener(of: scheme.name), opener.id == id else {
      let other = lookup.opener(of: scheme.name)
      throw failure(
        other.map { "\($0.id) still opens it: another mimeapps.list has precedence." }
          ?? "\(entry) was written, but \(program) cannot be started.")
    }
    return Changes(written: [entry, associations])
  }

  /// Removes the registration.
  ///
  /// Registrations by others are preserved.
  ///
  /// - Throws: `redirectSchemeNotRegistered` if the files cannot be changed.
  package func unregister() throws(TesseraError) -> Changes {
    var changes = Changes()
    let entry = try entryPath()
    if SmallFile.contents(of: entry) != nil {
      guard unlink(entry) == 0 else {
        throw failure("\(entry) could not be removed: \(reason(errno)).")
      }
      changes.removed.append(entry)
    }
    guard let associations = folders.associations else { throw noHome }
    try DirectoryLock.withLock(in: folder(of: associations)) { () throws(TesseraError) in
      let before = try text(at: associations)
      let rest = choices(before).removing(id)
      guard rest.bytes != before.bytes else { return }
      // Do not remove a symbolic link, which the user created. Its target would keep the old content.
      if rest.bytes.isEmpty, !isLink(associations) {
        guard unlink(associations) == 0 else {
          throw failure("\(associations) could not be removed: \(reason(errno)).")
        }
        changes.removed.append(associations)
      } else {
        try write(rest.bytes, to: associations)
        changes.written.append(associations)
      }
    }
    return changes
  }
}

extension SchemeRegistration {
  /// Returns the path of the desktop entry.
  ///
  /// - Throws: `redirectSchemeNotRegistered` if a file at that path was not written by this library.
  private func entryPath() throws(TesseraError) -> String {
    guard let data = folders.data else { throw noHome }
    let path = "\(data)/applications/\(id)"
    var status = stat()
    guard lstat(path, &status) == 0 else { return path }
    let bytes = SmallFile.contents(of: path) ?? []
    let registrationKey = EntryText(bytes).values(
      of: DesktopEntry.registrationKey, in: DesktopEntry.group
    ).first
    guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG), registrationKey == scheme.name else {
      throw failure("\(path) already exists and was created by another program.")
    }
    return path
  }

  /// Reads a mimeapps.list file; empty if it does not exist.
  private func text(at path: String) throws(TesseraError) -> EntryText {
    if let bytes = SmallFile.contents(of: path) { return EntryText(bytes) }
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOENT else {
      throw failure("\(path) cannot be read.")
    }
    return EntryText([])
  }

  /// Changes a mimeapps.list file under the lock of its directory, because another process may be changing it.
  private func change(
    _ path: String, _ body: () throws(TesseraError) -> Void
  ) throws(TesseraError) {
    try convertingErrors { () throws(FileError) in try PrivateDirectory.make(folder(of: path)) }
    try DirectoryLock.withLock(in: folder(of: path), body)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(TesseraError) {
    try convertingErrors { () throws(FileError) in
      try PrivateDirectory.make(folder(of: path))
      try SmallFile.replace(path, with: bytes, mode: 0o644)
    }
  }

  private func convertingErrors(
    _ body: () throws(FileError) -> Void
  ) throws(TesseraError) {
    do throws(FileError) {
      try body()
    } catch {
      switch error {
      case .failed(let verb, let path, let code):
        throw failure("could not \(verb) \(path): \(reason(code)).")
      case .unsafe(let path, let reason): throw failure("\(path) \(reason).")
      }
    }
  }

  private func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
  }

  private func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFLNK)
  }

  private static func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  private var noHome: TesseraError {
    failure("neither HOME nor the XDG variables specify where applications are registered.")
  }

  private func failure(_ reason: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .redirectSchemeNotRegistered, "The scheme \(scheme.name): \(reason)")
  }
}
