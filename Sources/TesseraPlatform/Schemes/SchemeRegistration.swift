// SPDX-License-Identifier: MIT
// The registration of an application for a redirect scheme.

import CLibrary
import CTesseraSystem
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

/// A lookup of the application that opens URLs of a scheme.
///
/// It follows the MIME Applications Specification 1.0 as implemented by xdg-mime and GLib. Defaults of the user, the system and
/// the distribution are searched first, each for the current desktop first. Then the applications that declare the type are
/// searched. Version 1.0.1 also requires a default to be associated with the type, which neither implementation checks.
package struct SchemeLookup: Sendable {
  private let folders: DesktopDirectories

  package init(_ folders: DesktopDirectories) {
    self.folders = folders
  }

  /// An application that opens URLs.
  package struct Opener: Sendable, Equatable {
    /// The ID of its desktop entry.
    package let id: String
    /// The file of its desktop entry.
    package let path: String
    /// Its desktop entry.
    package let entry: DesktopEntry
  }

  private static let defaults = "Default Applications"
  private static let added = "Added Associations"
  private static let removed = "Removed Associations"

  /// Returns the application that the desktop opens for URLs of a scheme; nil if there is none.
  package func opener(of scheme: String) -> Opener? {
    let type = SchemeType(scheme).text
    let files = folders.associationFiles.map { file in
      (file, SmallFile.contents(of: file.path).map { EntryText($0) } ?? EntryText([]))
    }
    for (_, text) in files {
      let ids = text.values(of: type, in: Self.defaults).flatMap(\.entryItems)
      if let found = ids.lazy.compactMap(opener(id:)).first { return found }
    }
    var isRemoved: Set<String> = []
    for (file, text) in files {
      if !file.isDesktopSpecific {
        let ids = text.values(of: type, in: Self.added).flatMap(\.entryItems)
          .filter { !isRemoved.contains($0) }
        if let found = ids.lazy.compactMap(opener(id:)).first { return found }
        isRemoved.formUnion(text.values(of: type, in: Self.removed).flatMap(\.entryItems))
      }
      guard let folder = file.applications,
        let found = declaringApplications(of: type, in: folder).first(where: {
          !isRemoved.contains($0.id)
        })
      else { continue }
      return found
    }
    return nil
  }

  /// Returns the applications in a directory that declare a type.
  ///
  /// Uses the cache of the directory. If that has no entry for the type, reads all desktop entries.
  private func declaringApplications(of type: String, in folder: String) -> [Opener] {
    let cache = SmallFile.contents(of: folder + "/mimeinfo.cache").map { EntryText($0) }
    let known = cache?.values(of: type, in: "MIME Cache").flatMap(\.entryItems) ?? []
    let isInFolder = { (opener: Opener) in opener.path.hasPrefix(folder + "/") }
    let found = known.compactMap(opener(id:)).filter(isInFolder)
    guard found.isEmpty else { return found }
    return ids(in: folder, below: "", depth: 0).compactMap(opener(id:))
      .filter { isInFolder($0) && $0.entry.types.contains(type) }
  }

  /// Returns the IDs of the desktop entries in a directory.
  ///
  /// The path of a subdirectory is part of the ID, with dashes.
  private func ids(in folder: String, below prefix: String, depth: Int) -> [String] {
    SmallFile.names(in: folder).flatMap { name in
      if name.hasSuffix(".desktop") { return [prefix + name] }
      var status = stat()
      guard depth < 3, stat("\(folder)/\(name)", &status) == 0,
        status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
      else { return [] }
      return ids(in: "\(folder)/\(name)", below: "\(prefix)\(name)-", depth: depth + 1)
    }
  }

  /// Returns the application with an ID, if it is installed.
  ///
  /// An entry of the user hides an entry of the system.
  func opener(id: String) -> Opener? {
    guard id.hasSuffix(".desktop"), !id.contains("/"), id.utf8.count <= 255 else { return nil }
    for folder in folders.applications {
      for name in SchemeLookup.names(of: id) {
        let path = "\(folder)/\(name)"
        guard let bytes = SmallFile.contents(of: path, limit: 1 << 20) else { continue }
        guard let entry = DesktopEntry(EntryText(bytes)), isInstalled(entry.requiredExecutable)
        else { return nil }
        return Opener(id: id, path: path, entry: entry)
      }
    }
    return nil
  }

  /// Returns the relative paths for an ID.
  ///
  /// Each dash may be a subdirectory.
  private static func names(of id: String) -> [String] {
    var names = [id]
    var name = id
    while names.count < 8, let dash = name.firstIndex(of: "-") {
      name.replaceSubrange(dash...dash, with: "/")
      names.append(name)
    }
    return names
  }

  /// Whether the executable that an entry requires exists.
  ///
  /// An entry activated by D-Bus may require none.
  private func isInstalled(_ program: String?) -> Bool {
    program.map { ExecutableSearch.path(of: $0, in: folders.programs) != nil } ?? true
  }
}

/// The directories of a user's desktop (XDG Base Directory Specification), and the names of the desktop.
package struct DesktopDirectories: Sendable {
  /// The user's configuration directory; nil if no variable defines one.
  package let configuration: String?
  /// The user's data directory; nil if no variable defines one.
  package let data: String?
  /// The configuration directories of the system, in order of precedence.
  let systemConfigurations: [String]
  /// The data directories of the system, in order of precedence.
  let systemData: [String]
  /// The names of the desktop, in lower case.
  let desktops: [String]
  /// The directories of `PATH`.
  let programs: [String]

  /// Reads the directories from environment variables.
  ///
  /// Relative paths are ignored (Base Directory Specification, section 2).
  ///
  /// - Parameter variable: Returns the value of a variable; nil if it is not set.
  package init(_ variable: (String) -> String?) {
    func folder(_ name: String, _ usual: String) -> String? {
      if let value = variable(name), value.hasPrefix("/") { return value }
      guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
      return home + usual
    }
    func folders(_ name: String, _ usual: String) -> [String] {
      let value = variable(name).flatMap { $0.isEmpty ? nil : $0 } ?? usual
      return value.split(separator: ":").prefix(64).map(String.init).filter { $0.hasPrefix("/") }
    }
    configuration = folder("XDG_CONFIG_HOME", "/.config")
    data = folder("XDG_DATA_HOME", "/.local/share")
    systemConfigurations = folders("XDG_CONFIG_DIRS", "/etc/xdg")
    systemData = folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    desktops = (variable("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").prefix(16)
      .map { $0.lowercased() }.filter { !$0.contains("/") }
    programs = folders("PATH", "/usr/local/bin:/usr/bin:/bin")
  }

  /// The directories of desktop entries, in order of precedence.
  var applications: [String] {
    ([data].compactMap { $0 } + systemData).map { $0 + "/applications" }
  }

  /// The file to which the user's default applications are written.
  package var associations: String? { configuration.map { $0 + "/mimeapps.list" } }

  /// A file with default applications.
  struct AssociationFile {
    let path: String
    /// Whether the file is for one desktop.
    ///
    /// Only the defaults of such a file are used.
    let isDesktopSpecific: Bool
    /// The directory of desktop entries to search after this file; nil if this is not the last file of that directory.
    let applications: String?
  }

  /// The files with default applications, in order of precedence (MIME Applications Specification 1.0, section 2).
  var associationFiles: [AssociationFile] {
    let settings = ([configuration].compactMap { $0 } + systemConfigurations).flatMap {
      files(in: $0, applications: nil)
    }
    return settings + applications.flatMap { files(in: $0, applications: $0) }
  }

  private func files(in folder: String, applications: String?) -> [AssociationFile] {
    let own = desktops.map {
      AssociationFile(
        path: "\(folder)/\($0)-mimeapps.list", isDesktopSpecific: true, applications: nil)
    }
    guard let applications else {
      return own + [
        AssociationFile(
          path: folder + "/mimeapps.list", isDesktopSpecific: false, applications: nil)
      ]
    }
    return own + [
      AssociationFile(path: folder + "/mimeapps.list", isDesktopSpecific: false, applications: nil),
      // The file used before the specification, which xdg-mime and GLib still read.
      AssociationFile(
        path: folder + "/defaults.list", isDesktopSpecific: true, applications: applications),
    ]
  }
}

extension DesktopDirectories {
  /// The directories of the current process.
  package static var current: DesktopDirectories {
    DesktopDirectories { name in ctessera_environment(name).map { String(cString: $0) } }
  }
}

/// A lock on a directory, without a lock file.
///
/// Other programs do not use it.
enum DirectoryLock {
  private static let pauseMilliseconds: Int32 = 20
  /// The number of attempts, which take five seconds.
  ///
  /// A process that holds the lock longer was probably stopped.
  private static let attempts = 250

  /// Runs a function while no other thread or process holds the lock of the directory.
  ///
  /// After all attempts, or if the directory cannot be opened, the function runs without the lock.
  static func withLock<Value, Failure: Error>(
    in folder: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let descriptor = openFile(folder, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    for _ in 0..<attempts where flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      poll(nil, 0, pauseMilliseconds)
    }
    return try body()
  }
}
