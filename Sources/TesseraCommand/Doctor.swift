// SPDX-License-Identifier: MIT
// tessera doctor: what the store is like, what protects it, and what is wrong.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Describes the store.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what protects the token store, what was tried for that, and what is wrong.",
    usage: "tessera doctor [<options>]",
    discussion: """
      Makes and changes nothing, and asks no server. The exit status is 0 unless something is wrong with the store, or \
      no store could be made.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    // The store is the same for all applications of a group.
    var configuration = ApplicationConfiguration(clientID: "tessera-doctor")
    store.apply(to: &configuration)
    let info: StoreInfo
    do throws(TesseraError) {
      info = try PublicClientApplication(configuration).storeInfo()
    } catch {
      Output.tell(error, asJSON: store.json)
      throw ExitCode(error.remedy.rawValue)
    }
    if store.json {
      Output.say(info.json.serialized)
    } else {
      Output.tell(rows: Doctor.rows(info))
    }
    if let problem = info.problem {
      if !store.json { Output.tell(problem, asJSON: false) }
      throw ExitCode(problem.remedy.rawValue)
    }
  }

  /// What is printed for a person: a name and a value each.
  private static func rows(_ info: StoreInfo) -> [[String]] {
    var rows = [
      ["store", info.path ?? "in memory"], ["state", info.state.rawValue],
      ["policy", info.policy.rawValue],
      ["protection", info.protection.map(words) ?? "not known"],
      ["key kept by", info.keySource?.words ?? "nobody"],
    ]
    for attempt in info.attempts {
      rows.append(["tried before", "\(attempt.text) (\(attempt.problem.rawValue))"])
    }
    if let version = info.layoutVersion { rows.append(["layout", "\(version)"]) }
    if let bytes = info.fileBytes { rows.append(["size", "\(bytes) bytes"]) }
    if let records = info.records {
      rows.append([
        "records",
        """
        \(records.accounts) accounts, \(records.refreshTokens) refresh tokens, \
        \(records.accessTokens) access tokens, \(records.damaged) damaged
        """,
      ])
    }
    if info.isRemote {
      rows.append(["file system", "on another machine: its locks hold on this one only"])
    }
    if info.isSharedWithPeers {
      rows.append(["shared", "with every program that keeps this file, whatever its library"])
    }
    for path in info.setAside { rows.append(["set aside", path]) }
    return rows
  }

  private static func words(_ protection: StoreInfo.Protection) -> String {
    switch protection {
    case .encrypted: "encrypted: who reads the whole disk lacks the key"
    case .obfuscated: "obfuscated: who reads the whole disk has the key as well"
    case .plaintext: "plaintext: the tokens lie in clear in a private file"
    case .memory: "memory: nothing is written"
    }
  }
}
