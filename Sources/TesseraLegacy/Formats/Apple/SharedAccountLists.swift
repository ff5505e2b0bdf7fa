// SPDX-License-Identifier: MIT
// The lists of accounts that the applications of a publisher share on iOS, as read by MSAL for Apple.

import TesseraCache
import TesseraWire

/// The lists of shared accounts in a keychain: up to three versions per service.
struct SharedAccountLists {
  /// The account attributes of the lists, latest version first.
  private static let versions = ["AccountsV3", "AccountsV2", "AccountsV1"]

  /// The maximum number of services to read.
  ///
  /// Each publisher has one.
  private static let maximumServiceCount = 64

  private var lists: [String: [String: JSONObject]] = [:]
  private var damaged: [LegacyCacheError] = []

  /// Adds an item that is a list of shared accounts.
  ///
  /// Returns `false` for any other item.
  mutating func addIfAccountList(_ item: KeychainItem) -> Bool {
    guard let version = item.account, Self.versions.contains(version), item.type == nil else {
      return false
    }
    let service = item.service ?? ""
    if let json = (try? JSONValue(parsing: item.value))?.object {
      // The lists are kept in memory until the end, so their number is limited.
      if lists[service] != nil || lists.count < Self.maximumServiceCount {
        lists[service, default: [:]][version] = json
      } else {
        damage(
          "The keychain has lists of shared accounts for more than \(Self.maximumServiceCount) services."
        )
      }
    } else {
      damage("A list of shared accounts is not a JSON object.")
    }
    return true
  }

  private mutating func damage(_ message: String) {
    damaged.append(LegacyCacheError("shared_account_invalid", message))
  }

  /// Calls `emit` with each account that is not signed out of every application, as an item without tokens.
  ///
  /// A list counts only if it was written later than those with a higher version (MSAL for Apple). Duplicates are
  /// skipped.
  func emit(_ emit: (LegacyEntry) -> Void) {
    for damage in damaged { emit(.damaged(damage)) }
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
            emit(.item(account.item))
          } catch {
            emit(.damaged(LegacyCacheError("shared_account_invalid", error.message)))
          }
        }
      }
    }
  }
}

extension JSONValue {
  /// The number of seconds, with an optional fraction, or `nil` for any other value.
  fileprivate var seconds: Double? {
    guard case .number(let text) = self, let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }
}
