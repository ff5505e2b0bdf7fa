// SPDX-License-Identifier: MIT
// The features of this build, which the traits of the package select.

package import TesseraEngine
import TesseraPlatform

#if TesseraApple
  import TesseraApple
#endif
#if TesseraBroker
  import TesseraBroker
#endif
#if TesseraLegacy
  import TesseraLegacy
#endif
#if TesseraMSALFile
  import TesseraMSALFile
#endif
#if TesseraServices
  import TesseraServices
#endif

/// The features of this build.
package enum Features {
  /// The names of the features, sorted.
  package static var names: [String] {
    var names: [String] = []
    #if TesseraApple
      names.append(MissingFeature.apple.rawValue)
    #endif
    #if TesseraBroker
      names.append(MissingFeature.broker.rawValue)
    #endif
    #if TesseraLegacy
      names.append(MissingFeature.legacy.rawValue)
    #endif
    #if TesseraMSALFile
      names.append(MissingFeature.msalFile.rawValue)
    #endif
    #if TesseraServices
      names.append(MissingFeature.services.rawValue)
    #endif
    return names.sorted()
  }

  /// The flows of the features on a machine without a broker.
  package static var flows: [any Feature] {
    #if TesseraBroker
      return otherFlows + [BrokerFlows(NoBroker())]
    #else
      return otherFlows
    #endif
  }

  /// The flows of the features that need no access to this machine.
  private static var otherFlows: [any Feature] {
    var flows: [any Feature] = []
    #if TesseraApple
      flows.append(AuthenticatorFlows())
    #endif
    #if TesseraLegacy
      flows.append(LegacyFlows())
    #endif
    #if TesseraServices
      flows.append(ServiceFlows())
    #endif
    return flows
  }

  /// Returns the flows of the features, with the broker of this machine.
  static func flows(time: any TimeSource, signInLock: InteractiveSignInLock) -> [any Feature] {
    #if TesseraBroker
      return otherFlows + [BrokerFlows(SystemBroker(time: time, signInLock: signInLock))]
    #else
      return otherFlows
    #endif
  }

  /// Returns the store in a cache of other libraries.
  static func msalFileStore(
    _ cache: MSALCache, _ configuration: ApplicationConfiguration, time: any TimeSource
  ) throws(TesseraError) -> any CredentialStore {
    #if TesseraMSALFile
      MSALFileStore(cache, configuration, time: time)
    #else
      throw MissingFeature.msalFile.error
    #endif
  }
}
