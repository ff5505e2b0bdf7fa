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
      let stored = try write(settings)
      guard !asJSON else { return }
      if let name = stored.name {
        Output.report(
          "Stored the profile \"\(name)\". Print a token with \"\(tokenCommand(name))\".")
      } else if stored.isUnknown {
        Output.report(
          "Profiles exist, so these options were not stored. Add --profile NAME to store them.")
      }
    } catch {
      guard !isExplicit else { throw error }
      Output.printWarning("No profile was stored. \(error.message)")
    }
  }

  private func tokenCommand(_ name: String) -> String {
    name == ProfileTarget.firstName ? "tessera token" : "tessera token --profile \(name)"
  }

  /// A written profile.
  private struct Stored {
    /// The name; nil if the profile was not written, because profiles exist and none is named.
    var name: String?
    /// Whether no profile has the application.
    var isUnknown = false
  }

  /// Writes the profile.
  private func write(_ settings: Settings) throws(TesseraError) -> Stored {
    guard let file = ProfileFile(.current) else {
      guard isExplicit else { return Stored() }
      throw SettingError.conflict("HOME is not set, so there is no profile file. Set HOME.")
    }
    let name = name ?? ProfileTarget.firstName
    guard Profile.isValidName(name) else {
      throw SettingError.conflict(
        "\"\(name)\" is not a name of a profile. Use 1 to 64 of the characters A-Z, a-z, 0-9, _ and -."
      )
    }
    let known = try file.read()
    guard isExplicit || known.names.isEmpty else { return existing(known, settings) }
    var stored = Stored(name: name)
    try file.update { document throws(TesseraError) in
      // Another process may have stored the first profile since.
      guard isExplicit || document.names.isEmpty else {
        stored = existing(document, settings)
        return
      }
      var profile = document[name] ?? Profile()
      if profile.registration != settings.registration.value { profile.username = nil }
      profile.registration = settings.registration.value
      profile.scopes = settings.scopes.value
      profile.group = settings.group.value
      profile.redirectURI = settings.redirectURI.value
      document.set(name, to: profile)
    }
    return stored
  }

  /// Returns the result if profiles exist.
  private func existing(_ document: ProfileDocument, _ settings: Settings) -> Stored {
    Stored(
      isUnknown: !document.profiles.contains {
        $0.profile.registration == settings.registration.value
      })
  }
}
