// SPDX-License-Identifier: MIT
// Changes to a user's default applications for one type in a mimeapps.list file.

/// The entries of a `mimeapps.list` file for one type (MIME Applications Specification 1.0).
package struct AssociationList: Sendable {
  private let text: EntryText
  private let type: String
  private static let choices = ["Default Applications", "Added Associations"]
  private static let refusals = "Removed Associations"

  package init(_ text: EntryText, of type: String) {
    self.text = text
    self.type = type
  }

  /// Returns the list with an application first among those that open the type.
  ///
  /// It is no longer among the removed associations.
  package func adding(_ id: String) -> EntryText {
    var text = removing(id, from: [AssociationList.refusals])
    for group in AssociationList.choices {
      let places = text.places(of: type, in: group)
      for place in places {
        text.replace(lineAt: place, with: line([id] + others(at: place, of: text, than: id)))
      }
      guard places.isEmpty else { continue }
      if let place = text.place(ofGroup: group) {
        text.insert(line([id]), behind: place)
      } else {
        text.append(group: group, with: line([id]))
      }
    }
    return text
  }

  /// Returns the list without an application.
  ///
  /// Groups that become empty are removed.
  package func removing(_ id: String) -> EntryText {
    removing(id, from: AssociationList.choices + [AssociationList.refusals])
  }

  private func removing(_ id: String, from groups: [String]) -> EntryText {
    var text = text
    for group in groups {
      var isChanged = false
      for place in text.places(of: type, in: group).reversed() {
        guard case .pair(_, let value) = text.line(at: place), value.entryItems.contains(id)
        else { continue }
        let others = others(at: place, of: text, than: id)
        text.replace(lineAt: place, with: others.isEmpty ? nil : line(others))
        isChanged = true
      }
      if isChanged { text.removeEmptyGroups(named: group) }
    }
    return text
  }

  /// Returns the other applications on a line.
  private func others(at place: Int, of text: EntryText, than id: String) -> [String] {
    guard case .pair(_, let value) = text.line(at: place) else { return [] }
    return value.entryItems.filter { $0 != id }
  }

  private func line(_ ids: [String]) -> String {
    "\(type)=" + ids.map { $0 + ";" }.joined()
  }
}
