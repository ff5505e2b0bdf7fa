// SPDX-License-Identifier: MIT
// The options that select the store, its protection and the output format, common to all subcommands.

import ArgumentParser
import Tessera

/// The options of the store and of the output.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The profile to use. \"tessera profile list\" shows the profiles.",
    completion: .custom { _, _, _ in ProfileFile.names })
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "The name of the store. Applications with the same group share sign-ins.",
      visibility: .hidden))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "The directory of the token store. The default is $XDG_DATA_HOME/tessera.",
      visibility: .hidden))
  var storeDirectory: String?

  @Option(
    help: ArgumentHelp(
      """
      The cache of another library to use instead of a store of Tessera's: azure_cli, azure_identity, \
      azure_identity_cae, azure_powershell, azure_powershell_cae, or the absolute path of a file.
      """, visibility: .hidden),
    transform: { try StoreOptions.cache($0) })
  var msalCache: MSALCache?

  @Option(
    help: ArgumentHelp(
      """
      The required protection of the store: require_encrypted, prefer_encrypted (the default), allow_plaintext or \
      memory_only.
      """, visibility: .hidden),
    completion: .choices(StoragePolicy.self),
    transform: { try StoreOptions.choice($0) as StoragePolicy })
  var storagePolicy: StoragePolicy?

  @Option(
    help: ArgumentHelp(
      """
      Where to store the encryption key of a new store: secret_service, kernel_keyring or key_file. Repeat the option \
      to list fallbacks in order.
      """, visibility: .hidden),
    completion: .choices(KeySource.self),
    transform: { try StoreOptions.choice($0) as KeySource })
  var keySource: [KeySource] = []

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @Flag(
    name: .shortAndLong, help: ArgumentHelp("Log to standard error.", visibility: .hidden))
  var verbose = false

  /// Returns a configuration for a command that concerns the whole store, which is common to all applications of a group.
  ///
  /// - Parameter name: The client ID to state.
  /// - Throws: `invalidConfiguration` if the profile is invalid or does not exist.
  func configuration(named name: String) throws(TesseraError) -> ApplicationConfiguration {
    var configuration = ApplicationConfiguration(clientID: name)
    apply(to: &configuration, group: try storeGroup().value)
    return configuration
  }

  /// Returns the group for a command that concerns the whole store.
  func storeGroup() throws(TesseraError) -> Setting<String?> {
    var sources = SettingSources()
    sources.profileName = profile
    sources.group = group
    sources.environment = .current
    return try sources.groupSetting(ProfileFile.profiles(of: .current))
  }

  /// Applies the options to a configuration.
  func apply(to configuration: inout ApplicationConfiguration, group: String?) {
    let database = database(group)
    configuration.store =
      msalCache.map { .msalFile($0, policy: database.policy) } ?? .sqlite(database)
    if verbose {
      configuration.log = TesseraLog(level: .detail) { _, line in Output.printError(line) }
    }
  }

  /// Returns the options of the database.
  func database(_ group: String?) -> StoreConfiguration.SQLiteOptions {
    StoreConfiguration.SQLiteOptions(
      group: group ?? "default", directory: storeDirectory,
      policy: storagePolicy ?? .preferEncrypted, keySources: keySource.isEmpty ? nil : keySource)
  }

  /// Returns the cache of another library with a name or a path.
  static func cache(_ text: String) throws -> MSALCache {
    guard let cache = MSALCache(text) else {
      let known = KnownCache.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("must be an absolute path, or one of \(known).")
    }
    return cache
  }

  /// Returns the value of an enumeration with a name.
  static func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: name) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("must be one of \(known).")
    }
    return choice
  }
}

extension CompletionKind {
  /// The completion of the values of an enumeration.
  static func choices<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type
  ) -> CompletionKind where Choice.RawValue == String {
    .list(type.allCases.map(\.rawValue))
  }
}
