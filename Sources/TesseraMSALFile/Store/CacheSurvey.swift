// SPDX-License-Identifier: MIT
// A survey of all known caches: their locations, states and numbers of accounts.

import TesseraCache
package import TesseraEngine
import TesseraPlatform

/// A survey of the caches of other applications.
///
/// It takes no lock, changes nothing and shows no prompt.
package struct CacheSurvey: Sendable {
  private let folders: CacheDirectories
  private let items: any Keyring
  private let time: any TimeSource

  init(_ folders: CacheDirectories, _ items: any Keyring, time: any TimeSource) {
    self.folders = folders
    self.items = items
    self.time = time
  }

  /// Creates a survey of this machine, according to the environment.
  ///
  /// - Throws: `fixStorage` if the environment does not define the directories of the user.
  package init(time: any TimeSource) throws(TesseraError) {
    self.init(try CacheDirectories(advice: "Set HOME."), KeyringItems(time: time), time: time)
  }

  /// Returns all locations of all known caches, in the order of ``KnownCache``, followed by caches that are not supported.
  ///
  /// - Throws: `cancelled` at the limits.
  package func locate(within limits: CallLimits) throws(TesseraError) -> [FoundCache] {
    var found: [FoundCache] = []
    for cache in KnownCache.allCases {
      let locations = cache.locations(folders)
      let used = try LocationFinder(items).find(locations, within: limits)
      for location in locations.all {
        var entry = FoundCache(
          name: cache.rawValue, owner: cache.owner, kind: location.item == nil ? .file : .item,
          path: location.signal, schema: location.item?.schema,
          isSelected: used.location == location)
        switch location {
        case .file(let path):
          try inspect(
            at: path, isTouched: locations.items.contains { $0.signal == path }, &entry, limits)
        case .item(let item, let signal):
          try inspect(in: item, touching: signal, &entry, limits)
        }
        found.append(entry)
      }
    }
    for (var entry, reason) in unsupported {
      try inspect(at: entry.path, isTouched: false, &entry, limits)
      if entry.state != .missing { entry.reason = reason }
      found.append(entry)
    }
    return found
  }
}

extension CacheSurvey {
  /// Describes the content of a file.
  ///
  /// - Parameter isTouched: Whether the file may be the empty signal file of an item.
  private func inspect(
    at path: String, isTouched: Bool, _ entry: inout FoundCache, _ limits: CallLimits
  ) throws(TesseraError) {
    guard let file = LocationFinder.file(at: path), file.hasDocument || !isTouched else { return }
    entry.modifiedOn = file.modified / 1_000_000_000
    do throws(TesseraError) {
      switch try CacheFile(path).read(time, within: limits, { try? UnifiedCache($0) }) {
      case .missing: entry.modifiedOn = nil
      case .valid(let cache, _): describe(cache, in: &entry)
      case .damaged(let bytes, _): describe(damaged: bytes, in: &entry)
      }
    } catch {
      if error.remedy == .cancelled { throw error }
      entry.state = .unavailable
      entry.reason = error.message
    }
  }

  /// Describes the content of an item.
  private func inspect(
    in item: KeyringItem, touching signal: String, _ entry: inout FoundCache, _ limits: CallLimits
  ) throws(TesseraError) {
    do throws(KeyFailure) {
      guard let contents = try items.content(of: item, within: limits) else { return }
      entry.modifiedOn = Int64(clamping: contents.modified)
      if let cache = try? UnifiedCache(contents.text) {
        describe(cache, in: &entry)
      } else {
        describe(damaged: contents.text, in: &entry)
      }
    } catch {
      switch error {
      case .ended(let error): throw error
      case .refused(let problem, let reason):
        // Writers touch the signal file of an item. Without a keyring, a file with a document does not indicate an item.
        guard let file = LocationFinder.file(at: signal) else { return }
        let isAbsent = [.noBus, .noService, .noCollection, .libraryMissing].contains(problem)
        if isAbsent, file.hasDocument { return }
        entry.state = .locked
        entry.reason = reason
      }
    }
  }

  private func describe(_ cache: UnifiedCache, in entry: inout FoundCache) {
    let owners = cache.allAccounts().compactMap { record -> String? in
      if case .account = record { record.owner } else { nil }
    }
    entry.state = .usable
    entry.accounts = Set(owners).count
  }

  private func describe(damaged bytes: [UInt8], in entry: inout FoundCache) {
    entry.state = .unreadable
    // The start of a JWE in compact serialization (RFC 7516 section 3.1).
    entry.reason =
      bytes.starts(with: "eyJ".utf8)
      ? "it is encrypted with a key of azidentity for Go" : "it is not a token cache"
  }

  /// The caches that are listed but not supported, with the reason.
  private var unsupported: [(FoundCache, reason: String)] {
    let encryptedReason =
      "azidentity for Go encrypts it with a key in the kernel keyring, which is lost on reboot"
    let go = folders.cache + "/.IdentityService/msal.cache"
    return [
      (
        FoundCache(
          name: "azd", owner: "Azure Developer CLI", kind: .file,
          path: folders.developer + "/auth/msal/cache.json"),
        "azd uses a different lock file than other tools: concurrent writes would lose changes"
      ),
      (
        FoundCache(
          name: "azidentity", owner: "azidentity for Go", kind: .file, path: go + ".nocae"),
        encryptedReason
      ),
      (
        FoundCache(
          name: "azidentity_cae", owner: "azidentity for Go, claims challenges", kind: .file,
          path: go + ".cae"), encryptedReason
      ),
    ]
  }
}
