// SPDX-License-Identifier: MIT
// The profile that a sign-in stores.

import Tessera

/// The profile in which `tessera login` stores its options.
struct ProfileTarget {
  /// The value of `--profile`, if the options of an application are set, too.
  private let name: String?
  /// Whether the profile would find the sign-in: it has no options of a store.
  private let isComplete: Bool

  /// The name of the first profile.
  private static let firstName = "default"

  init(_ options: ApplicationOptions) {
    name = options.registration.isEmpty ? nil : options.store.profile
    isComplete = options.store.storeDirectory == nil && options.store.msalCache == nil
  }

  /// Whether the user named a profile to store.
  var isExplicit: Bool { name != nil }

  /// Stores the options of a sign-in: in the named profile, or in the first one.
  ///
  /// - Throws: The reason why the named profile could not be stored. The first one is optional, so its error is printed
  ///   as a warning.
  func store(_ settings: Settings, asJSON: Bool) throws(TesseraError) {
    guard settings.registration.source == .options, isExplicit || isComplete else { return }
    do throws(TesseraError) {
      guard let stored = try write(settings), !asJSON else { return }
      Output.report(
        "Stored the profile \"\(stored)\". Print a token with \"\(tokenCommand(stored))\".")
    } catch {
      guard !isExplicit else { throw error }
      Output.printWarning("No profile was stored. \(error.message)")
    }
  }

  private func tokenCommand(_ name: String) -> String {
    name == ProfileTarget.firstName ? "tessera token" : "tessera token --profile \(name)"
  }

  /// Writes the profile; returns its name, or nil if profiles exist and none is named.
  private func write(_ settings: Settings) throws(TesseraError) -> String? {
    guard let file = ProfileFile(.current) else {
      guard isExplicit else { return nil }
      throw SettingError.conflict("HOME is not set, so there is no profile file. Set HOME.")
    }
    let name = name ?? ProfileTarget.firstName
    guard Profile.isValidName(name) else {
      throw SettingError.conflict(
        "\"\(name)\" is not a name of a profile. Use 1 to 64 of the characters A-Z, a-z, 0-9, _ and -."
      )
    }
    guard isExplicit else {
      guard try file.read().names.isEmpty else { return nil }
      return try write(name, settings, to: file)
    }
    return try write(name, settings, to: file)
  }

  private func write(
    _ name: String, _ settings: Settings, to file: ProfileFile
  ) throws(TesseraError) -> String {
    try file.update { document throws(TesseraError) in
      var profile = document[name] ?? Profile()
      if profile.registration != settings.registration.value { profile.username = nil }
      profile.registration = settings.registration.value
      profile.scopes = settings.scopes.value
      profile.group = settings.group.value
      profile.redirectURI = settings.redirectURI.value
      document.set(name, to: profile)
    }
    return name
  }
}
