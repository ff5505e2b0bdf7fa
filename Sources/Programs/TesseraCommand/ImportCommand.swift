// SPDX-License-Identifier: MIT
// tessera import: imports the sign-ins of another tool, and stores a profile for them.

import ArgumentParser
import Tessera

/// Copies the sign-ins of a tool, and stores a profile for them.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import the sign-ins of the Azure CLI, azure-identity or Azure PowerShell.",
    usage: "tessera import [<options>] <tool>",
    discussion: """
      Examples:
        tessera import az
        tessera import azure-powershell
        tessera import az --profile work --scope https://graph.microsoft.com/.default

      Copies the accounts and tokens into the store, and stores a profile with the client ID of the tool: the tokens \
      belong to that client ID and no other. The profile has the name of the tool, or that of --profile. The cache of the \
      tool is not changed. Works offline. A repeated import keeps the settings of the profile.
      """)

  /// A tool with a known cache.
  enum Tool: String, CaseIterable {
    case az
    case azureIdentity = "azure-identity"
    case azurePowerShell = "azure-powershell"

    /// The cache of the tool.
    var cache: String {
      switch self {
      case .az: "azure_cli"
      case .azureIdentity: "azure_identity"
      case .azurePowerShell: "azure_powershell"
      }
    }

    /// The name for users.
    var displayName: String {
      switch self {
      case .az: "the Azure CLI"
      case .azureIdentity: "azure-identity"
      case .azurePowerShell: "Azure PowerShell"
      }
    }

    /// The client ID with which the tool signs in.
    var clientID: String {
      switch self {
      case .az, .azureIdentity: "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
      case .azurePowerShell: "1950a258-227b-4e31-a9cf-717495945fc2"
      }
    }
  }

  @Argument(
    help: "The tool: \(Tool.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .choices(Tool.self),
    transform: { try StoreOptions.choice($0) as Tool })
  var tool: Tool

  @OptionGroup var application: ApplicationOptions

  @Option(
    name: .shortAndLong,
    help: "A scope of the profile. The default is that of Azure Resource Manager.")
  var scope: [String] = []

  func validate() throws {
    guard application.store.msalCache == nil else {
      throw ValidationError("--msal-cache excludes an import: a profile has no cache.")
    }
  }

  func run() throws {
    do throws(TesseraError) {
      try importSignIns()
    } catch {
      // The messages state how to sign in with the tool.
      Output.report(error, asJSON: application.json, showsNextStep: error.remedy != .signIn)
      throw ExitCode(error.remedy.rawValue)
    }
  }

  /// Copies the sign-ins and stores the profile.
  private func importSignIns() throws(TesseraError) {
    let name = application.store.profile ?? tool.rawValue
    guard Profile.isValidName(name) else {
      throw SettingError.conflict("\"\(name)\" is not a name of a profile.")
    }
    guard let file = ProfileFile(.current) else {
      throw SettingError.conflict("HOME is not set, so no profile can be stored. Set HOME.")
    }
    let known = try file.read()[name]
    let group =
      application.store.group ?? Environment.current["TESSERA_GROUP"] ?? known?.group
    let profile = try profile(known, group, name)
    let report = try copied(group)
    guard !report.accounts.isEmpty else {
      throw TesseraError(
        .signIn, .storeEmpty,
        "The token cache of \(tool.displayName) has no accounts. Sign in with it first.")
    }
    let accounts = try signedIn(profile)
    guard !accounts.isEmpty else {
      throw TesseraError(
        .signIn, .accountNotFound,
        """
        The token cache of \(tool.displayName) has no sign-in of the client ID \(profile.registration.clientID ?? ""). Pass the \
        client ID with which it was made with --client-id.
        """)
    }
    let username = accounts.count == 1 ? accounts[0].username : nil
    try file.update { document throws(TesseraError) in
      var stored = try self.profile(document[name], group, name)
      let isSignedIn = accounts.contains { $0.username == stored.username }
      if stored.username == nil || !isSignedIn { stored.username = username }
      document.set(name, to: stored)
    }
    show(report, accounts, name)
  }

  /// Returns the profile of the import, which keeps the settings of an earlier one that no option changes.
  ///
  /// - Throws: `invalidConfiguration` if the profile is that of another application.
  private func profile(
    _ known: Profile?, _ group: String?, _ name: String
  ) throws(TesseraError) -> Profile {
    let clientID = application.clientID ?? tool.clientID
    guard known == nil || known?.registration.clientID == clientID else {
      throw SettingError.conflict(
        "The profile \"\(name)\" has another client ID. Choose another name with --profile.")
    }
    var profile = known ?? Profile()
    let options = application.registration
    if options.hasProvider || !profile.registration.hasProvider { profile.registration = options }
    profile.registration.clientID = clientID
    if !profile.registration.hasProvider { profile.registration.tenant = "organizations" }
    let scopes = SettingSources.split(scope)
    if !scopes.isEmpty { profile.scopes = scopes }
    if profile.scopes.isEmpty { profile.scopes = ["https://management.azure.com/.default"] }
    profile.group = group ?? profile.group
    return profile
  }

  /// Copies the accounts and tokens of the tool.
  private func copied(_ group: String?) throws(TesseraError) -> CopyReport {
    var configuration = ApplicationConfiguration(clientID: "tessera-import")
    application.store.apply(to: &configuration, group: group)
    var source = ApplicationConfiguration(clientID: "tessera-import")
    guard let cache = MSALCache(tool.cache) else {
      throw SettingError.conflict("The cache of \(tool.rawValue) is unknown.")
    }
    // The source is only read. The required protection applies to the target.
    source.store = .msalFile(cache, policy: .allowPlaintext)
    let other = try PublicClientApplication(source)
    guard other.storeInfo().state != .missing else {
      throw TesseraError(
        .signIn, .storeMissing,
        "No token cache of \(tool.displayName) was found. Sign in with it first, or run \"tessera login\"."
      )
    }
    return try PublicClientApplication(configuration).copy(from: other, CopyRequest())
  }

  /// Returns the accounts that the profile can use.
  private func signedIn(_ profile: Profile) throws(TesseraError) -> [Account] {
    let settings = Settings(
      registration: Setting(value: profile.registration, source: .options),
      scopes: Setting(value: profile.scopes, source: .options),
      group: Setting(value: profile.group, source: .options),
      username: Setting(value: nil, source: .standard),
      redirectURI: Setting(value: nil, source: .standard))
    let configuration = try application.configuration(settings)
    return try PublicClientApplication(configuration).accounts(AccountsRequest())
  }

  private func show(_ report: CopyReport, _ accounts: [Account], _ name: String) {
    guard !application.json else {
      return Output.printLine(
        .object([
          "profile": .string(name), "accounts": .array(accounts.map { .document($0.jsonDocument) }),
          "copy": .document(report.jsonDocument),
        ]))
    }
    for account in accounts {
      Output.report("Imported \(account.username ?? account.homeAccountID).")
    }
    Output.report(
      "Stored the profile \"\(name)\". Print a token with \"tessera token --profile \(name)\".")
    if accounts.count > 1 {
      Output.report("Choose an account with \"tessera use USERNAME --profile \(name)\".")
    }
  }
}
