// SPDX-License-Identifier: MIT
// What a failure of the broker means for the program, by the broker's own numbers.

import TesseraWire

extension TesseraError {
  /// What a failure means.
  package init(_ failure: BrokerFailure, correlationID: String) {
    switch failure {
    case .ended(let error): self = error
    case .refused(let refusal): self.init(refusal)
    case .skipped(let problem, let reason):
      let message = "The identity broker could not be used: \(reason)."
      self.init(problem.remedy, problem.code, message)
      causes = [ErrorCause(.broker, code: problem.rawValue, reason)]
    }
    self.correlationID = correlationID
  }

  /// What a refusal means; libmsalruntime's Response_Status, as MSAL .NET and MSAL Python treat it.
  private init(_ refusal: LinuxBrokerRefusal) {
    let (remedy, code) = refusal.meaning
    let words = [refusal.context, refusal.subError ?? ""].filter { !$0.isEmpty }
    self.init(
      remedy, code,
      "The identity broker refused: "
        + (words.isEmpty ? "it says no more" : words.joined(separator: "; ")))
    suberror = refusal.subError
    serverCodes = refusal.serverCodes
    if let number = refusal.number {
      causes = [ErrorCause(.broker, number, words.joined(separator: "; "))]
    }
  }

  /// The same after a broker was skipped: why that was is among its causes, and with the token that it holds.
  func after(skipping refusal: TesseraError) -> TesseraError {
    var error = caused(by: refusal)
    if error.result?.brokers.isEmpty == true {
      error.result?.brokers = [BrokerVisit(skipped: refusal)]
    }
    return error
  }

  /// Whether the broker, or the person at it, has decided: then asking in another way is not what anybody wants.
  ///
  /// Nor is it while the person is at another window.
  var isDecisionOfBroker: Bool {
    remedy == .cancelled || code == .networkFailed || code == .serverUnavailable
      || code == .interactionInProgress
  }
}

extension BrokerProblem {
  fileprivate var code: ErrorCode {
    switch remedy {
    case .signIn: .accountNotFound
    case .retryLater: .brokerUnresponsive
    default: .brokerUnavailable
    }
  }

  fileprivate var remedy: Remedy {
    switch self {
    case .noSessionBus, .libraryMissing, .notRunning, .unsupported, .forbidden,
      .authorityUnsupported:
      .fixConfiguration
    case .timeout, .ended, .failed, .answerInvalid, .answerTooLong: .retryLater
    case .accountUnknown: .signIn
    }
  }
}

extension LinuxBrokerRefusal {
  /// What an application should do, and the name of the situation.
  fileprivate var meaning: (Remedy, ErrorCode) {
    switch status {
    case .interactionRequired, .accountUnusable, .userDataRemovalRequired:
      (.signIn, .interactionRequired)
    case .accountNotFound: (.signIn, .accountNotFound)
    case .userSwitch, .accountSwitch: (.signIn, .accountMismatch)
    case .deviceNotRegistered: (.signIn, .deviceRequired)
    case .noNetwork, .networkTemporarilyUnavailable: (.retryLater, .networkFailed)
    case .serverTemporarilyUnavailable: (.retryLater, .serverUnavailable)
    case .apiContractViolation: (.fixRequest, .requestRejected)
    case .userCanceled: (.cancelled, .accessDenied)
    case .applicationCanceled: (.cancelled, .cancelled)
    case .incorrectConfiguration: (.fixConfiguration, .clientRejected)
    case .authorityUntrusted: (.fixConfiguration, .invalidAuthority)
    case .requiredBrokerMissing, .fallbackToNativeMSAL: (.fixConfiguration, .brokerUnavailable)
    case .unexpected, .reserved, .insufficientBuffer, .keyNotFound, .transientError, nil:
      (.retryLater, .brokerUnresponsive)
    }
  }
}
