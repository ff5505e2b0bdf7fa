// SPDX-License-Identifier: MIT
// tessera doctor: describes the state, the protection and the problems of the store.

import ArgumentParser
import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Describes the store.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the protection, the state and the problems of the token store.",
    usage: "tessera doctor [<options>]",
    discussion: """
      Changes nothing and works offline. The exit status is 5 if the store cannot store sign-ins.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    // The store is common to all applications of a group.
    var configuration = ApplicationConfiguration(clientID: "tessera-doctor")
    store.apply(to: &configuration)
    let info: StoreInfo
    do throws(TesseraError) {
      info = try PublicClientApplication(configuration).storeInfo()
    } catch {
      Output.report(error, asJSON: store.json)
      throw ExitCode(error.remedy.rawValue)
    }
    if store.json {
      Output.printLine(.document(info.jsonDocument))
    } else {
      Output.report(rows: Doctor.rows(info))
    }
    if let problem = info.problem ?? Doctor.readOnly(info) {
      if !store.json { Output.report(problem, asJSON: false) }
      throw ExitCode(problem.remedy.rawValue)
    }
  }

  /// Returns the error of a read-only store, in which a sign-in fails; nil for other stores.
  private static func readOnly(_ info: StoreInfo) -> TesseraError? {
    guard info.state == .readOnly else { return nil }
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(info.path ?? "The store") is read-only: sign-ins and refreshed tokens cannot be stored. Correct its permissions \
      or choose another directory with --store-directory.
      """)
  }

  /// Returns the rows of the output for a terminal: a name and a value each.
  private static func rows(_ info: StoreInfo) -> [[String]] {
    var rows = [
      ["store", location(info)], ["state", info.state.rawValue],
      ["policy", info.policy.rawValue],
    ]
    if let protection = info.protection { rows.append(["protection", displayName(protection)]) }
    if let source = info.keySource { rows.append(["key source", source.displayName]) }
    for attempt in info.attempts {
      rows.append([
        "unavailable",
        "\(attempt.source.displayName): \(attempt.reason) (\(attempt.problem.rawValue))",
      ])
    }
    if let version = info.layoutVersion { rows.append(["layout", "\(version)"]) }
    if let bytes = info.fileBytes { rows.append(["size", "\(bytes) bytes"]) }
    if let records = info.records {
      rows.append([
        "records",
        """
        accounts: \(records.accounts), refresh tokens: \(records.refreshTokens), \
        access tokens: \(records.accessTokens), damaged: \(records.damaged)
        """,
      ])
    }
    if info.isRemote {
      rows.append(["file system", "remote: locks work between processes of this machine only"])
    }
    if info.isSharedWithPeers {
      rows.append(["shared", "with all applications that use this file, through any library"])
    }
    for path in info.setAside { rows.append(["quarantined", path]) }
    return rows
  }

  /// Returns the path of the store, or the reason why it has none.
  private static func location(_ info: StoreInfo) -> String {
    if let path = info.path { return path }
    if info.protection == .memory { return "in memory" }
    return getenv("HOME") == nil ? "none: HOME is not set" : "none"
  }

  private static func displayName(_ protection: StoreInfo.Protection) -> String {
    switch protection {
    case .encrypted: "encrypted: the key cannot be read from the disk"
    case .obfuscated: "obfuscated: encrypted, but the key is in a file on the same disk"
    case .plaintext: "plaintext: the tokens are stored unencrypted in a private file"
    case .memory: "memory: nothing is written to disk"
    }
  }
}
