// SPDX-License-Identifier: MIT
// The client ID, the provider, the scopes and the group of a command, each with its source.

import Tessera

/// The source of a setting.
enum SettingSource: Hashable {
  /// The command line.
  case options
  /// The environment variables that start with a prefix.
  case variables(String)
  /// A profile.
  case profile(String)
  /// No source: the value is the default one.
  case standard

  /// The phrase for messages.
  var text: String {
    switch self {
    case .options: "the options"
    case .variables(let prefix): "the \(prefix)* variables"
    case .profile(let name): "the profile \"\(name)\""
    case .standard: "the default"
    }
  }
}

/// A setting with its source.
struct Setting<Value> {
  let value: Value
  let source: SettingSource
}

/// The settings of a command.
struct Settings {
  /// The application and its provider, from one source.
  let registration: Setting<Registration>
  /// The scopes; empty if no source has any.
  let scopes: Setting<[String]>
  /// The group of the store; nil for the default one.
  let group: Setting<String?>
  /// The user name of the default account; nil if the profile has none.
  let username: Setting<String?>
  /// The redirect URI; nil for the default one.
  let redirectURI: Setting<String?>

  /// The client ID.
  ///
  /// - Throws: `invalidConfiguration` if no source has one.
  func clientID() throws(TesseraError) -> String {
    if let clientID = registration.value.clientID { return clientID }
    throw TesseraError(
      .fixConfiguration, .invalidConfiguration,
      """
      No client ID is set. Run "tessera login --client-id ID" once, which stores a profile. Otherwise pass --client-id \
      or set TESSERA_CLIENT_ID.
      """)
  }
}

extension Settings {
  /// Returns the command that signs in with the same settings.
  ///
  /// - Parameter profile: The value of `--profile`.
  func loginCommand(profile: String?) -> String {
    var words = ["tessera", "login"]
    if let profile { words += ["--profile", profile] }
    if registration.source == .options {
      let options = registration.value
      for (name, value) in [
        ("--client-id", options.clientID), ("--tenant", options.tenant),
        ("--authority", options.authority), ("--authority-type", options.authorityType?.rawValue),
      ] {
        if let value { words += [name, Settings.quoted(value)] }
      }
    }
    if registration.source == .variables("AZURE_") { words.append("--azure-env") }
    if scopes.source == .options {
      words += scopes.value.flatMap { ["--scope", Settings.quoted($0)] }
    }
    if group.source == .options, let group = group.value {
      words += ["--group", Settings.quoted(group)]
    }
    return words.joined(separator: " ")
  }

  /// Returns a word of a shell command.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte.isBareKey || "./:@%+=,".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}

/// The sources of the settings of a command.
struct SettingSources {
  /// The application and its provider from the options.
  var options = Registration()
  /// The value of `--profile`.
  var profileName: String?
  /// Whether `--azure-env` is set.
  var usesAzureVariables = false
  /// The values of `--scope`.
  var scopes: [String] = []
  /// The value of `--group`.
  var group: String?
  /// The value of `--redirect-uri`.
  var redirectURI: String?
  /// The environment variables.
  var environment = Environment([:])

  /// Returns the settings: options take precedence over variables, and variables over the profile.
  ///
  /// - Parameter profiles: Reads the profiles. It is not called if the options or the variables are complete.
  /// - Throws: `invalidConfiguration` if options exclude each other, if the profile does not exist, or if the first source
  ///   with a member of the registration lacks one that a later source has.
  func settings(
    _ profiles: () throws(TesseraError) -> ProfileDocument
  ) throws(TesseraError) -> Settings {
    try checkOptions()
    var selected: (name: String, profile: Profile)?
    let found = try registration { () throws(TesseraError) in
      selected = try selection(in: try profiles())
      return selected
    }
    var profile: Setting<Profile>?
    if case .profile = found.source, let selected {
      profile = Setting(value: selected.profile, source: found.source)
    }
    return Settings(
      registration: found,
      scopes: scopeSetting(profile),
      group: setting(group, "TESSERA_GROUP", profile, \.group),
      username: setting(nil, nil, profile, \.username),
      redirectURI: setting(redirectURI, nil, profile, \.redirectURI))
  }

  /// Returns the group for a command that concerns the whole store, which has no application.
  func groupSetting(
    _ profiles: () throws(TesseraError) -> ProfileDocument
  ) throws(TesseraError) -> Setting<String?> {
    if group != nil || (profileName == nil && environment["TESSERA_GROUP"] != nil) {
      return setting(group, "TESSERA_GROUP", nil, \.group)
    }
    let selected = try selection(in: try profiles())
    return setting(
      nil, "TESSERA_GROUP", selected.map { Setting(value: $0.profile, source: .profile($0.name)) },
      \.group)
  }

  /// Checks options that exclude each other.
  private func checkOptions() throws(TesseraError) {
    if options.tenant != nil, options.authority != nil {
      throw SettingError.conflict(
        "--tenant and --authority exclude each other. Remove one of them.")
    }
    if let profileName, !options.isEmpty {
      throw SettingError.conflict(
        """
        --profile \(profileName) excludes \(options.optionNames.joined(separator: ", ")), because the client ID and the \
        provider come from one source. Remove one of them.
        """)
    }
    if profileName != nil, usesAzureVariables {
      throw SettingError.conflict(
        "--profile and --azure-env exclude each other. Remove one of them.")
    }
    if usesAzureVariables, environment["AZURE_CLIENT_ID"] == nil, options.isEmpty {
      throw SettingError.conflict("--azure-env is set, but AZURE_CLIENT_ID is not. Set it.")
    }
  }

  /// Returns the registration of the first source that has a member of it.
  private func registration(
    _ profile: () throws(TesseraError) -> (name: String, profile: Profile)?
  ) throws(TesseraError) -> Setting<Registration> {
    var sources = [Setting(value: options, source: .options)]
    if profileName == nil {
      if usesAzureVariables {
        sources.append(Setting(value: azureRegistration, source: .variables("AZURE_")))
      }
      sources.append(Setting(value: try variables(), source: .variables("TESSERA_")))
    }
    sources.removeAll { $0.value.isEmpty }
    // A registration with a client ID and a provider is complete, so the profiles are not read.
    if let first = sources.first, first.value.clientID != nil, first.value.hasProvider {
      return first
    }
    if let (name, profile) = try profile() {
      sources.append(Setting(value: profile.registration, source: .profile(name)))
    }
    guard let first = sources.first else {
      return Setting(value: Registration(), source: .standard)
    }
    try SettingSources.checkComplete(first, sources.dropFirst())
    return first
  }

  /// Checks that no later source has the member that the first one lacks.
  private static func checkComplete(
    _ first: Setting<Registration>, _ others: ArraySlice<Setting<Registration>>
  ) throws(TesseraError) {
    if first.value.clientID == nil {
      let other = others.first { $0.value.clientID != nil }
      throw SettingError.conflict(
        other.map {
          """
          The provider is set by \(first.source.text), but the client ID only by \($0.source.text). Set both in one \
          source: \(first.source.advice(.clientID)).
          """
        } ?? """
          The provider is set by \(first.source.text), but no client ID is. Set both in one source: \
          \(first.source.advice(.clientID)).
          """)
    }
    if !first.value.hasProvider, let other = others.first(where: \.value.hasProvider) {
      throw SettingError.conflict(
        """
        The client ID is set by \(first.source.text), but the provider only by \(other.source.text). Set both in one \
        source: \(first.source.advice(.tenant)).
        """)
    }
  }

  /// The registration of the `AZURE_*` variables.
  private var azureRegistration: Registration {
    var registration = Registration()
    registration.clientID = environment["AZURE_CLIENT_ID"]
    let tenant = environment["AZURE_TENANT_ID"]
    if let host = environment["AZURE_AUTHORITY_HOST"] {
      let start = host.contains("://") ? host : "https://\(host)"
      registration.authority =
        "\(start.hasSuffix("/") ? String(start.dropLast()) : start)/\(tenant ?? "organizations")"
    } else {
      registration.tenant = tenant
    }
    return registration
  }

  /// Returns the registration of the `TESSERA_*` variables.
  private func variables() throws(TesseraError) -> Registration {
    var registration = Registration()
    registration.clientID = environment["TESSERA_CLIENT_ID"]
    registration.tenant = environment["TESSERA_TENANT"]
    registration.authority = environment["TESSERA_AUTHORITY"]
    if let name = environment["TESSERA_AUTHORITY_TYPE"] {
      guard let type = AuthorityType(rawValue: name) else {
        let known = AuthorityType.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingError.conflict("TESSERA_AUTHORITY_TYPE must be one of \(known).")
      }
      registration.authorityType = type
    }
    guard registration.tenant == nil || registration.authority == nil || !options.isEmpty else {
      throw SettingError.conflict(
        "TESSERA_TENANT and TESSERA_AUTHORITY exclude each other. Unset one of them.")
    }
    return registration
  }

  /// Returns the selected profile; nil if there is none.
  private func selection(
    in document: ProfileDocument
  ) throws(TesseraError) -> (name: String, profile: Profile)? {
    guard let name = profileName ?? environment["TESSERA_PROFILE"] else {
      return document.selectedName.flatMap { name in document[name].map { (name, $0) } }
    }
    if let profile = document[name] { return (name, profile) }
    throw SettingError.missingProfile(name, in: document)
  }

  private func scopeSetting(_ profile: Setting<Profile>?) -> Setting<[String]> {
    let named = SettingSources.split(scopes)
    if !named.isEmpty { return Setting(value: named, source: .options) }
    if let text = environment["TESSERA_SCOPE"] {
      return Setting(value: SettingSources.split([text]), source: .variables("TESSERA_"))
    }
    guard let profile, !profile.value.scopes.isEmpty else {
      return Setting(value: [], source: .standard)
    }
    return Setting(value: profile.value.scopes, source: profile.source)
  }

  /// Returns the scopes of lists that are separated by spaces or commas.
  static func split(_ texts: [String]) -> [String] {
    texts.flatMap { $0.split { $0 == " " || $0 == "," }.map(String.init) }
  }

  private func setting(
    _ option: String?, _ variable: String?, _ profile: Setting<Profile>?,
    _ member: KeyPath<Profile, String?>
  ) -> Setting<String?> {
    if let option { return Setting(value: option, source: .options) }
    if let variable, let value = environment[variable] {
      return Setting(value: value, source: .variables("TESSERA_"))
    }
    guard let profile, let value = profile.value[keyPath: member] else {
      return Setting(value: nil, source: .standard)
    }
    return Setting(value: value, source: profile.source)
  }
}

extension SettingSource {
  /// Returns the phrase that names the option or the variable of a missing member.
  fileprivate func advice(_ key: ProfileKey) -> String {
    switch (self, key) {
    case (.options, .clientID): "pass --client-id"
    case (.options, _): "pass --tenant or --authority"
    case (.variables(let prefix), .clientID): "set \(prefix)CLIENT_ID"
    case (.variables("AZURE_"), _): "set AZURE_TENANT_ID"
    case (.variables(let prefix), _): "set \(prefix)TENANT or \(prefix)AUTHORITY"
    case (.profile, _), (.standard, _): "complete the profile"
    }
  }
}

extension Registration {
  /// The options of the members that are set.
  fileprivate var optionNames: [String] {
    [
      clientID.map { _ in "--client-id" }, tenant.map { _ in "--tenant" },
      authority.map { _ in "--authority" }, authorityType.map { _ in "--authority-type" },
    ].compactMap(\.self)
  }
}

/// The errors of settings.
enum SettingError {
  /// Returns the error of settings that exclude each other or are incomplete.
  static func conflict(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }

  /// Returns the error if there is no default profile.
  ///
  /// - Parameter advice: The way to name a profile.
  static func noDefault(in document: ProfileDocument, advice: String) -> TesseraError {
    conflict(
      document.names.isEmpty
        ? "There are no profiles: \"tessera login --client-id ID\" stores the first one."
        : "No profile is the default one. \(advice): \(document.names.joined(separator: ", ")).")
  }

  /// Returns the error of a profile that does not exist.
  static func missingProfile(_ name: String, in document: ProfileDocument) -> TesseraError {
    let known = document.names
    let hint =
      Suggestion.question(for: name, in: known)
      ?? (known.isEmpty
        ? "There are no profiles: \"tessera login --client-id ID\" stores the first one."
        : "Profiles: \(known.joined(separator: ", ")).")
    return conflict("The profile \"\(name)\" does not exist. \(hint)")
  }
}
