// SPDX-License-Identifier: MIT
// The lists in which programs of one maker share their accounts on iOS, as MSAL for Apple reads them from a keychain.

import TesseraWire

/// The lists of shared accounts that a keychain has: up to three versions for each service.
struct SharedAccountLists {
  /// The accounts of the items, the latest version first.
  private static let versions = ["AccountsV3", "AccountsV2", "AccountsV1"]

  /// How many services are read: each maker of programs has one.
  private static let mostServices = 64

  private var lists: [String: [String: JSONObject]] = [:]
  private var damaged: [LegacyDamage] = []

  /// Takes an item that is such a list; false for any other.
  mutating func take(_ item: KeychainItem) -> Bool {
    guard let version = item.account, Self.versions.contains(version), item.type == nil else {
      return false
    }
    let service = item.service ?? ""
    if let json = (try? JSONValue(parsing: item.value))?.object {
      // They are kept until the end, so there are not very many.
      if lists[service] != nil || lists.count < Self.mostServices {
        lists[service, default: [:]][version] = json
      } else {
        damage("There are lists of shared accounts of more than \(Self.mostServices) services.")
      }
    } else {
      damage("A list of shared accounts is not a JSON object.")
    }
    return true
  }

  private mutating func damage(_ message: String) {
    damaged.append(LegacyDamage("shared_account_invalid", message))
  }

  /// Meets everybody who has not signed out of every program, as an item without a token.
  ///
  /// A version counts if it was written later than those after it in number (MSAL for Apple); who is in two of them is
  /// met once.
  func meet(_ meet: (LegacyEntry) -> Void) {
    for damage in damaged { meet(.damaged(damage)) }
    for (_, versions) in lists.sorted(by: { $0.key < $1.key }) {
      var last = -Double.infinity
      var seen: Set<LegacyItem> = []
      for list in Self.versions.compactMap({ versions[$0] }) {
        let written = list["lastWriteTimestamp"]?.seconds ?? 0
        guard written > last else { break }
        last = written
        for json in list.members.compactMap(\.value.object) {
          do throws(WireError) {
            let account = try SharedAccount(json)
            guard account.isVisible, seen.insert(account.item).inserted else { continue }
            meet(.item(account.item))
          } catch {
            meet(.damaged(LegacyDamage("shared_account_invalid", error.message)))
          }
        }
      }
    }
  }
}

extension JSONValue {
  /// A number of seconds, perhaps with a fraction.
  fileprivate var seconds: Double? {
    guard case .number(let text) = self, let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }
}
