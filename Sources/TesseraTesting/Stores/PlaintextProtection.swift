// SPDX-License-Identifier: MIT
// Key protection for stores with unencrypted records.

package import TesseraEngine

/// Provides no key: records are stored unencrypted, in private files.
package struct PlaintextProtection: KeyProtection {
  package init() {}

  package func createKey(within limits: CallLimits) throws(TesseraError) -> CreatedKey {
    CreatedKey(key: nil, attempts: [])
  }

  package func key(
    at location: KeyLocation, within limits: CallLimits
  ) throws(TesseraError) -> KeyMaterial {
    throw TesseraError(
      .fixStorage, .keyUnavailable,
      "The token store is encrypted with a key from \(location.source.rawValue), which is not available here."
    )
  }

  package func check(_ location: KeyLocation?) throws(TesseraError) {}
}
