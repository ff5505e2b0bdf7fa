// SPDX-License-Identifier: MIT
// The checks of tessera doctor.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The checks between the command and a token.
struct Diagnostics {
  private let options: ApplicationOptions
  private let isOnline: Bool
  private let environment = Environment.current

  init(_ options: ApplicationOptions, isOnline: Bool) {
    self.options = options
    self.isOnline = isOnline
  }

  /// Returns the findings of all checks.
  func sections() -> [CheckSection] {
    var sections = [program, profile, store, signIn]
    if isOnline { sections.append(network) }
    return sections + [caches, broker]
  }

  private var program: CheckSection {
    CheckSection(
      name: "Program",
      findings: [
        CheckFinding("version", TesseraVersion.text),
        CheckFinding("program", ExecutablePath.path, report: place(of: ExecutablePath.path)),
        CheckFinding("library", "built into the program"),
        CheckFinding("environment", confinement ?? "no container detected"),
      ])
  }

  /// The container or the sandbox of this process, which has its own home directory or store; nil for none.
  private var confinement: String? {
    if environment["FLATPAK_ID"] != nil || access("/.flatpak-info", F_OK) == 0 {
      return "Flatpak: programs outside of it use another store"
    }
    if environment["SNAP"] != nil { return "Snap: programs outside of it use another store" }
    let marks = ["/.dockerenv", "/run/.containerenv"]
    if environment["container"] != nil || marks.contains(where: { access($0, F_OK) == 0 }) {
      return "container: programs outside of it use another store, unless its directory is mounted"
    }
    return nil
  }

  private var profile: CheckSection {
    var section = CheckSection(name: "Profile")
    guard let file = ProfileFile(environment) else {
      section.findings.append(CheckFinding("profile file", "none: no home directory"))
      return section
    }
    section.findings.append(CheckFinding("profile file", file.path, report: place(of: file.path)))
    do throws(TesseraError) {
      let settings = try options.settings()
      let registration = settings.registration.value
      let source = settings.registration.source
      guard let clientID = registration.clientID else {
        section.findings.append(
          CheckFinding("client ID", "not set: run \"tessera login --client-id ID\""))
        return section
      }
      section.findings += [
        CheckFinding(
          "client ID", "\(clientID), from \(source.text)", report: "set, from \(source.kind)"),
        CheckFinding(
          "provider", registration.authority ?? "tenant \(registration.tenant ?? "common")",
          report: registration.reportText),
        CheckFinding(
          "scopes", settings.scopes.value.joined(separator: " "),
          report: "\(settings.scopes.value.count)"),
        CheckFinding(
          "group", settings.group.value ?? "default",
          report: settings.group.value.map { _ in "not the default" }),
      ].filter { !$0.value.isEmpty }
    } catch {
      section.findings.append(CheckFinding(error))
    }
    return section
  }

  private var store: CheckSection {
    var section = CheckSection(name: "Store")
    do throws(TesseraError) {
      let configuration = try options.store.configuration(named: "tessera-doctor")
      let info = try PublicClientApplication(configuration).storeInfo()
      section.details = info.jsonDocument
      section.findings = StoreReport(place: place).findings(info)
      if let problem = info.problem ?? StoreReport.readOnly(info) {
        section.findings.append(CheckFinding(problem))
      }
    } catch {
      section.findings.append(CheckFinding(error))
    }
    return section
  }

  private var signIn: CheckSection {
    var section = CheckSection(name: "Sign-in")
    let availability = BrowserAvailability()
    let way =
      availability.opensBrowser
      ? "a browser" : environment.isCI ? "none without --device-code" : "a device code"
    section.findings.append(
      CheckFinding("\"tessera login\" uses", "\(way) (\(availability.reason))"))
    guard let settings = try? options.settings(), settings.registration.value.clientID != nil,
      let configuration = try? options.configuration(settings)
    else { return section }
    do throws(TesseraError) {
      let application = try PublicClientApplication(configuration)
      let accounts = AccountList(try application.accounts(AccountsRequest()))
      section.findings.append(
        CheckFinding(
          "accounts",
          accounts.accounts.isEmpty ? "none: run \"tessera login\"" : "\(accounts.accounts.count)"))
    } catch {
      // The section about the store reports its problem.
      section.findings.append(CheckFinding("accounts", "unknown"))
    }
    return section
  }

  private var network: CheckSection {
    var section = CheckSection(name: "Network")
    let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"]
    for name in names {
      if let value = environment[name] {
        section.findings.append(
          CheckFinding(name, Diagnostics.withoutPassword(value), report: "set"))
      }
    }
    if section.findings.isEmpty, let phrase = DesktopProxy.phrase(environment) {
      section.findings.append(CheckFinding("proxy of the desktop", phrase))
    }
    do throws(TesseraError) {
      let settings = try options.settings()
      guard settings.registration.value.clientID != nil else {
        section.findings.append(CheckFinding("discovery", "not checked without a client ID"))
        return section
      }
      var configuration = try options.configuration(settings)
      section.findings.append(ClockComparison(configuration.authority).finding)
      // The pending sign-in is not stored.
      configuration.store = .memory
      configuration.broker = .never
      let application = try PublicClientApplication(configuration)
      let scopes = settings.scopes.value
      _ = try application.beginSignIn(
        SignInRequest(scopes: scopes.isEmpty ? ["openid"] : scopes), cancellation: nil)
      section.findings.append(
        CheckFinding(
          "discovery", "\(configuration.authority) responds, with a trusted certificate",
          report: "the provider responds, with a trusted certificate"))
    } catch {
      section.findings.append(proxyFinding(error) ?? CheckFinding(error))
    }
    return section
  }

  /// Returns the finding about a proxy with an authentication that the library does not support; nil for other errors.
  private func proxyFinding(_ error: TesseraError) -> CheckFinding? {
    guard error.causes.contains(where: { $0.number == 407 }) else { return nil }
    let schemes = ProxyAuthentication(environment)?.schemes(for: "login.microsoftonline.com:443")
    guard let schemes, !schemes.isEmpty, !schemes.contains(where: { $0.lowercased() == "basic" })
    else { return nil }
    var finding = CheckFinding(
      TesseraError(
        .fixConfiguration, .invalidConfiguration,
        """
        The proxy requires \(schemes.joined(separator: " or ")), but only Basic authentication is supported.
        """))
    finding.step =
      "Set HTTPS_PROXY to a local proxy that authenticates, such as px (px-proxy on PyPI)."
    return finding
  }

  /// Returns the URL of a proxy without its user and password.
  private static func withoutPassword(_ url: String) -> String {
    guard let at = url.lastIndex(of: "@") else { return url }
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    return start < at ? url[..<start] + "…" + url[at...] : url
  }

  private var caches: CheckSection {
    var section = CheckSection(name: "Other caches")
    do throws(TesseraError) {
      let found = try knownCaches().filter { $0.state != .missing }
      section.findings = found.map { cache in
        CheckFinding(
          "\(cache.name)",
          cache.state == .usable ? "accounts: \(cache.accounts ?? 0)" : cache.state.rawValue)
      }
      if found.isEmpty { section.findings.append(CheckFinding("found", "none")) }
    } catch {
      section.findings.append(
        CheckFinding(
          "found", "unknown: \(error.message)",
          report: "unknown: \(CheckFinding.reportText(of: error))"))
    }
    return section
  }

  private var broker: CheckSection {
    var section = CheckSection(name: "Broker")
    guard isOnline else {
      section.findings.append(CheckFinding("version", "not checked without --online"))
      return section
    }
    do throws(TesseraError) {
      var configuration = try options.store.configuration(named: "tessera-doctor")
      configuration.broker = .prefer
      var request = BrokerRequest()
      request.timeout = .seconds(5)
      let version = try PublicClientApplication(configuration).brokerVersion(request)
      section.findings.append(CheckFinding("version", version))
    } catch {
      let text = OptionNames.replacingMembers(in: error.message)
      section.findings.append(
        CheckFinding(
          "version", "none. \(text)",
          report: "none: \(CheckFinding.reportText(of: error))"))
    }
    return section
  }
}

extension Diagnostics {
  /// Returns the place of a path for a bug report, because the names of directories are personal data.
  private func place(of path: String) -> String {
    if path.hasPrefix("/usr/") { return path }
    let isInHome = environment.home.map { path.hasPrefix("\($0)/") } ?? false
    return isInHome ? "a path in HOME" : "a path outside of HOME"
  }
}

extension SettingSource {
  /// The phrase for a bug report, without the name of a profile.
  fileprivate var kind: String {
    if case .profile = self { return "a profile" }
    return text
  }
}

extension Registration {
  /// The kind of the provider for a bug report.
  fileprivate var reportText: String {
    let type = authorityType.map { " of type \($0.rawValue)" } ?? ""
    guard authority == nil else { return "an authority\(type)" }
    let tenant = tenant ?? "common"
    let isShared = ["common", "organizations", "consumers"].contains(tenant)
    return (isShared ? "tenant \(tenant)" : "a tenant") + type
  }
}

/// The findings about a store.
private struct StoreReport {
  /// Returns the place of a path for a bug report.
  let place: (String) -> String

  /// Returns the error of a read-only store, in which a sign-in fails; nil for other stores.
  static func readOnly(_ info: StoreInfo) -> TesseraError? {
    guard info.state == .readOnly else { return nil }
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(info.path ?? "The store") is read-only: sign-ins and refreshed tokens cannot be stored. Correct its permissions \
      or choose another directory with --store-directory.
      """)
  }

  /// Returns the names and the values of a store.
  func findings(_ info: StoreInfo) -> [CheckFinding] {
    var findings = [
      CheckFinding("store", StoreReport.location(info), report: info.path.map(place)),
      CheckFinding("state", info.state.rawValue), CheckFinding("policy", info.policy.rawValue),
    ]
    func add(_ name: String, _ value: String, report: String? = nil) {
      findings.append(CheckFinding(name, value, report: report))
    }
    if let protection = info.protection { add("protection", StoreReport.displayName(protection)) }
    if let source = info.keySource { add("key source", source.displayName) }
    for attempt in info.attempts {
      add(
        "unavailable",
        "\(attempt.source.displayName): \(attempt.reason) (\(attempt.problem.rawValue))",
        report: "\(attempt.source.displayName): \(attempt.problem.rawValue)")
    }
    if let version = info.layoutVersion { add("layout", "\(version)") }
    if let bytes = info.fileBytes { add("size", "\(bytes) bytes") }
    if let records = info.records {
      add(
        "records",
        """
        accounts: \(records.accounts), refresh tokens: \(records.refreshTokens), \
        access tokens: \(records.accessTokens), damaged: \(records.damaged)
        """)
    }
    if info.isRemote {
      add("file system", "remote: locks work between processes of this machine only")
    }
    if info.isSharedWithPeers {
      add("shared", "with all applications that use this file, through any library")
    }
    for path in info.setAside { add("quarantined", path, report: place(path)) }
    return findings
  }

  /// Returns the path of the store, or the reason why it has none.
  private static func location(_ info: StoreInfo) -> String {
    if let path = info.path { return path }
    if info.protection == .memory { return "in memory" }
    return Environment.current.home == nil ? "none: no home directory" : "none"
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
