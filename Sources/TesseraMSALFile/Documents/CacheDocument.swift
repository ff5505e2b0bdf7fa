// SPDX-License-Identifier: MIT
// The unified document of a whole store, and the differences between two documents.

package import TesseraCache
package import TesseraWire

/// The contents of a store in the cache format of the MSAL libraries, as entries instead of records.
package struct CacheDocument: Sendable {
  /// The position of an entry: its section and its key.
  private struct EntryPosition: Hashable {
    let section: String
    let key: String
  }

  private var positions: [EntryPosition: Int] = [:]
  /// The entries, in document order.
  package private(set) var entries: [DocumentEntry] = []

  /// Creates the document of a store.
  ///
  /// - Parameters:
  ///   - records: All records of the store.
  ///   - host: Maps the environment of an entry to the host under which the document shows it.
  package init(_ records: [CacheRecord], host: (String) -> String) {
    for record in records {
      for entry in DocumentEntry.entries(for: record) {
        put(entry.inEnvironment(host, foreign: host))
      }
    }
  }

  /// Parses a document that another library wrote.
  ///
  /// An empty string is an empty document.
  ///
  /// - Throws: ``JSONError`` if the text is not a JSON object or exceeds 64 MiB.
  package init(parsing text: String) throws(JSONError) {
    guard !text.isEmpty else { return }
    let document = try JSONValue(parsing: text, limits: .init(bytes: 64 << 20))
    guard let sections = document.object else {
      throw JSONError(reason: "it is \(document.kind)", offset: 0)
    }
    for section in sections.members {
      guard let members = section.value.object else {
        put(DocumentEntry(section: section.name, key: "", value: section.value))
        continue
      }
      for member in members.members {
        put(DocumentEntry(section: section.name, key: member.name, value: member.value))
      }
    }
  }

  /// Adds an entry.
  ///
  /// If another entry has the same key, the one that takes precedence is kept.
  private mutating func put(_ entry: DocumentEntry) {
    let position = EntryPosition(section: entry.section, key: entry.key)
    guard let index = positions[position] else {
      positions[position] = entries.count
      return entries.append(entry)
    }
    if entry.takesPrecedence(over: entries[index]) { entries[index] = entry }
  }

  private func entry(at position: EntryPosition) -> DocumentEntry? {
    positions[position].map { entries[$0] }
  }

  /// Returns the edits of records that turn `before` into this document.
  ///
  /// - Parameters:
  ///   - name: Maps the host of an entry that loads as a record to the environment of the record.
  ///   - foreign: Maps the host of an access token that does not load.
  package func edits(
    from before: CacheDocument, environment name: (String) -> String = { $0 },
    foreign: (String) -> String = { $0 }
  ) -> DocumentEdits {
    func record(_ entry: DocumentEntry) -> CacheRecord {
      let entry = entry.inEnvironment(name, foreign: foreign)
      return entry.record ?? .foreign(ForeignRecord(entry))
    }
    var changes = DocumentEdits()
    // Removals come first, because an entry may reappear under another key.
    for entry in before.entries
    where self.entry(at: EntryPosition(section: entry.section, key: entry.key)) == nil {
      changes.edits.append(.remove(record(entry)))
    }
    for entry in entries {
      let older = before.entry(at: EntryPosition(section: entry.section, key: entry.key))
      guard older != entry else { continue }
      changes.edits.append(.store(record(entry), insteadOf: older.map(record)))
    }
    return changes
  }

  /// The document as JSON that every MSAL library can parse.
  package var json: JSONValue {
    var sections: [ExactString: [(String, JSONValue)]] = [:]
    var single: [(String, JSONValue)] = []
    for entry in entries {
      if entry.key.isEmpty, entry.value.object == nil {
        single.append((entry.section, entry.value))
      } else {
        sections[entry.section, default: []].append((entry.key, entry.value))
      }
    }
    let known = UnifiedSection.shared.map(\.name)
    let names = known + sections.keys.sorted().map(\.text).filter { !known.contains($0) }
    var document = JSONObject()
    for name in names where sections[name] != nil {
      document.append(name, .object(JSONObject(sections[name] ?? [])))
    }
    for (name, value) in single where document[name] == nil { document.append(name, value) }
    return .object(document)
  }
}
