// SPDX-License-Identifier: MIT
// Who opens addresses of a scheme on this desktop, found as desktops find it, without asking a program.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds the program that opens addresses of a scheme.
///
/// The MIME Applications Specification 1.0, as xdg-mime and GLib follow it: the choices of the user, of the system and of
/// the distribution, each first for the desktop; then whoever says that it opens the scheme. Version 1.0.1 wants of a
/// default that it is associated as well; neither of the two looks at that.
package struct SchemeLookup: Sendable {
  private let folders: DesktopFolders

  package init(_ folders: DesktopFolders) {
    self.folders = folders
  }

  /// A program that opens addresses.
  package struct Opener: Sendable, Equatable {
    /// The name of its entry.
    package let id: String
    /// The file of its entry.
    package let path: String
    /// The entry.
    package let entry: DesktopEntry
  }

  private static let defaults = "Default Applications"
  private static let added = "Added Associations"
  private static let removed = "Removed Associations"

  /// The program that is opened with an address of a scheme; nil if there is none.
  package func opener(of scheme: String) -> Opener? {
    let type = SchemeType(scheme).text
    let files = folders.choices.map { file in
      (file, SmallFile.contents(of: file.path).map { EntryText($0) } ?? EntryText([]))
    }
    for (_, text) in files {
      let ids = text.values(of: type, in: Self.defaults).flatMap(\.entryItems)
      if let found = ids.lazy.compactMap(opener(id:)).first { return found }
    }
    var isRemoved: Set<String> = []
    for (file, text) in files {
      if !file.isOfDesktop {
        let ids = text.values(of: type, in: Self.added).flatMap(\.entryItems)
          .filter { !isRemoved.contains($0) }
        if let found = ids.lazy.compactMap(opener(id:)).first { return found }
        isRemoved.formUnion(text.values(of: type, in: Self.removed).flatMap(\.entryItems))
      }
      guard let folder = file.applications,
        let found = claimants(of: type, in: folder).first(where: { !isRemoved.contains($0.id) })
      else { continue }
      return found
    }
    return nil
  }

  /// The programs of a folder that say that they open a type: as the cache of the folder has it, or else as they say.
  private func claimants(of type: String, in folder: String) -> [Opener] {
    let cache = SmallFile.contents(of: folder + "/mimeinfo.cache").map { EntryText($0) }
    let known = cache?.values(of: type, in: "MIME Cache").flatMap(\.entryItems) ?? []
    let isHere = { (opener: Opener) in opener.path.hasPrefix(folder + "/") }
    let found = known.compactMap(opener(id:)).filter(isHere)
    guard found.isEmpty else { return found }
    return ids(in: folder, below: "", depth: 0).compactMap(opener(id:))
      .filter { isHere($0) && $0.entry.types.contains(type) }
  }

  /// The names of the entries in a folder and the folders in it, whose names come first with a dash.
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

  /// The program of an entry's name, if it is there; an entry of the user's hides one of the system's.
  func opener(id: String) -> Opener? {
    guard id.hasSuffix(".desktop"), !id.contains("/"), id.utf8.count <= 255 else { return nil }
    for folder in folders.applications {
      for name in SchemeLookup.names(of: id) {
        let path = "\(folder)/\(name)"
        guard let bytes = SmallFile.contents(of: path, limit: 1 << 20) else { continue }
        guard let entry = DesktopEntry(EntryText(bytes)), isThere(entry.condition)
        else { return nil }
        return Opener(id: id, path: path, entry: entry)
      }
    }
    return nil
  }

  /// The names under which an entry may lie: each dash may stand for a folder.
  private static func names(of id: String) -> [String] {
    var names = [id]
    var name = id
    while names.count < 8, let dash = name.firstIndex(of: "-") {
      name.replaceSubrange(dash...dash, with: "/")
      names.append(name)
    }
    return names
  }

  /// Whether the program that an entry needs can be started; one that D-Bus starts may need none.
  private func isThere(_ program: String?) -> Bool {
    program.map { ProgramFile.path(of: $0, in: folders.programs) != nil } ?? true
  }
}
