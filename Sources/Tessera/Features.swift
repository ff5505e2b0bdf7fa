// SPDX-License-Identifier: MIT
// The features of this build, which the traits of the package select.

import TesseraEngine
import TesseraPlatform

#if TesseraBroker
  import TesseraBroker
#endif

/// The features of this build.
package enum Features {
  /// The names of the features, sorted.
  package static var names: [String] {
    var names = ["apple", "legacy", "msal_file"]
    #if TesseraBroker
      names.insert("broker", at: 1)
    #endif
    return names
  }

  /// Returns the broker of this machine, or one that skips every call if the build does not have the feature.
  static func broker(time: any TimeSource, signInLock: InteractiveSignInLock) -> any Broker {
    #if TesseraBroker
      SystemBroker(time: time, signInLock: signInLock)
    #else
      NoBroker(
        .featureUnavailable, "this build of the library does not have the feature \"broker\"")
    #endif
  }
}
