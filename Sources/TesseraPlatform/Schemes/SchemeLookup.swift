// SPDX-License-Identifier: MIT
// A lookup of the application that opens URLs of a scheme on this desktop, without starting a program.

import CLibrary

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
