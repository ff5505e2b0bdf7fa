// SPDX-License-Identifier: MIT
// Changes to a user's default applications for one type in a mimeapps.list file.

/// The entries of a `mimeapps.list` file for one type (MIME Applications Specification 1.0).
package struct AssociationList: Sendable {
  private let text: EntryText
  private let type: String
  private static let preferenceGroups = ["Default Applications", "Added Associations"]
  private static let removedAssociations = "Removed Associations"

  package init(_ text: EntryText, of type: String) {
    self.text = text
    self.type = type
  }

  /// Returns the list with an application first among those that open the type.
  ///
  /// It is no longer among the removed associations.
  package func adding(_ id: String) -> EntryText {
    var text = removing(id, from: [AssociationList.removedAssociations])
    for group in AssociationList.preferenceGroups {
      let lineIndices = text.lineIndices(of: type, in: group)
      for lineIndex in lineIndices {
        text.replace(
          lineAt: lineIndex, with: line([id] + others(at: lineIndex, of: text, than: id)))
      }
      guard lineIndices.isEmpty else { continue }
      if let lineIndex = text.lineIndex(ofGroup: group) {
        text.insert(line([id]), after: lineIndex)
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
    removing(id, from: AssociationList.preferenceGroups + [AssociationList.removedAssociations])
  }

  private func removing(_ id: String, from groups: [String]) -> EntryText {
    var text = text
    for group in groups {
      var isChanged = false
      for lineIndex in text.lineIndices(of: type, in: group).reversed() {
        guard case .pair(_, let value) = text.line(at: lineIndex), value.entryItems.contains(id)
        else { continue }
        let others = others(at: lineIndex, of: text, than: id)
        text.replace(lineAt: lineIndex, with: others.isEmpty ? nil : line(others))
        isChanged = true
      }
      if isChanged { text.removeEmptyGroups(named: group) }
    }
    return text
  }

  /// Returns the other applications on a line.
  private func others(at lineIndex: Int, of text: EntryText, than id: String) -> [String] {
    guard case .pair(_, let value) = text.line(at: lineIndex) else { return [] }
    return value.entryItems.filter { $0 != id }
  }

  private func line(_ ids: [String]) -> String {
    "\(type)=" + ids.map { $0 + ";" }.joined()
  }
}
