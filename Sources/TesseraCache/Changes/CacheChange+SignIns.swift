// SPDX-License-Identifier: MIT
// The part of a change that concerns begun sign-ins, for a store that keeps their record apart.

extension CacheChange {
  /// The steps for all other records.
  package var withoutSignIns: CacheChange {
    CacheChange(steps.filter { if case .signIns = $0 { false } else { true } })
  }

  /// Returns the record of begun sign-ins as it is after the change; nil for none.
  package func applied(to stored: SignInRecord?) -> SignInRecord? {
    var record = stored
    for step in steps {
      switch step {
      case .signIns(let change): record = change.applied(to: record) ?? record
      case .removeEverything: record = nil
      default: continue
      }
    }
    return record
  }

  /// Whether it changes the record of begun sign-ins, or removes it with all others.
  package var concernsSignIns: Bool {
    steps.contains { step in
      switch step {
      case .signIns, .removeEverything: true
      default: false
      }
    }
  }
}
