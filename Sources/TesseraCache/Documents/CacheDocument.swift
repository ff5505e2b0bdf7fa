// SPDX-License-Identifier: MIT
// The unified document of a whole store, and what differs between two of them.

package import TesseraWire

/// The document that MSAL libraries keep, with entries in place of records.
package struct CacheDocument: Sendable {
  /// One difference between two documents.
  package enum Edit: Sendable, Hashable {
    /// An entry is new or another one than before.
    case store(DocumentEntry, insteadOf: DocumentEntry?)
    /// An entry is gone.
    case remove(DocumentEntry)
  }

  /// Where an entry lies.
  private struct Place: Hashable {
    let section: String
    let key: String
  }

  private var places: [Place: Int] = [:]
  /// The entries, in order.
  package private(set) var entries: [DocumentEntry] = []

  /// The document of a store.
  ///
  /// - Parameter host: under which host the entries of a cloud are shown.
  package init(_ records: [CacheRecord], host: (String) -> String) {
    for record in records {
      for entry in DocumentEntry.entries(for: record) {
        put(entry.inEnvironment(host, foreign: host))
      }
    }
  }

  /// A document as another library wrote it; an empty text is an empty document.
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

  /// Of two entries for the same place the better one counts.
  private mutating func put(_ entry: DocumentEntry) {
    let place = Place(section: entry.section, key: entry.key)
    guard let index = places[place] else {
      places[place] = entries.count
      return entries.append(entry)
    }
    if entry.isBetter(than: entries[index]) { entries[index] = entry }
  }

  private func entry(at place: Place) -> DocumentEntry? {
    places[place].map { entries[$0] }
  }

  /// What has to be done to another document, so that it becomes this one.
  package func edits(from before: CacheDocument) -> [Edit] {
    var edits: [Edit] = []
    // Removals first: an entry may come back under another key.
    for entry in before.entries
    where self.entry(at: Place(section: entry.section, key: entry.key)) == nil {
      edits.append(.remove(entry))
    }
    for entry in entries {
      let older = before.entry(at: Place(section: entry.section, key: entry.key))
      if older != entry { edits.append(.store(entry, insteadOf: older)) }
    }
    return edits
  }

  /// The document as JSON, as every MSAL library reads it.
  package var json: JSONValue {
    var sections: [String: [(String, JSONValue)]] = [:]
    var single: [(String, JSONValue)] = []
    for entry in entries {
      if entry.key.isEmpty, entry.value.object == nil {
        single.append((entry.section, entry.value))
      } else {
        sections[entry.section, default: []].append((entry.key, entry.value))
      }
    }
    let known = UnifiedSection.shared.map(\.name)
    let names = known + sections.keys.filter { !known.contains($0) }.sorted()
    var document = JSONObject()
    for name in names where sections[name] != nil {
      document.append(name, .object(JSONObject(sections[name] ?? [])))
    }
    for (name, value) in single where document[name] == nil { document.append(name, value) }
    return .object(document)
  }
}
