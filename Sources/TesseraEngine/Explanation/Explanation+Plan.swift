// SPDX-License-Identifier: MIT
// The explanation of the decision of a silent call.

import TesseraCache
import TesseraWire

extension Explanation {
  /// Creates the explanation of a plan.
  package init(
    _ inputs: SilentInputs, _ plan: SilentPlan, requestError: TesseraError? = nil,
    authority: Authority,
    store: StoreKind, usesBroker: Bool = false, readMicroseconds: Int64
  ) {
    switch plan {
    case .refresh(_, _, let refreshReason) where usesBroker:
      (decision, reason, error) = (.broker, refreshReason.rawValue, nil)
    case .requireSignIn where usesBroker:
      (decision, reason, error) = (.broker, RefreshReason.missing.rawValue, nil)
    case .useCached: (decision, reason, error) = (.use, "valid", nil)
    case .refresh(_, _, let refreshReason):
      (decision, reason, error) = (.refresh, refreshReason.rawValue, nil)
    case .backOff(let record, _):
      let failure = TesseraError.recordedError(record, at: inputs.clocks)
      decision = usesBroker ? .broker : .pause
      (reason, error) = (failure.code.rawValue, failure)
    case .requireSignIn(let problem):
      let failure = requestError ?? TesseraError(absence: inputs.snapshot.condition, problem)
      (decision, reason, error) = (.signIn, failure.code.rawValue, failure)
    }
    homeAccountID = inputs.homeAccountID
    self.authority = authority.text
    tenantID = inputs.realm
    var seen: Set<ExactString> = []
    environments = inputs.environments.filter { seen.insert($0).inserted }
    scopes = inputs.scopes.list
    candidates = inputs.candidates(of: plan)
    self.store = store
    self.readMicroseconds = readMicroseconds
  }
}
