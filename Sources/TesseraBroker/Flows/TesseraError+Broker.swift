// SPDX-License-Identifier: MIT
// The mapping of broker failures to errors, by the broker's status codes.

import TesseraEngine
import TesseraWire

extension TesseraError {
  /// Creates the error for a failed broker request.
  package init(_ failure: BrokerFailure, correlationID: String) {
    switch failure {
    case .ended(let error): self = error
    case .errorResponse(let errorResponse): self.init(errorResponse)
    case .skipped(let problem, let reason):
      let message = "The identity broker could not be used: \(reason)."
      self.init(problem.remedy, problem.code, message)
      causes = [TesseraError.Cause(.broker, code: problem.rawValue, reason)]
    }
    self.correlationID = correlationID
  }

  /// Creates the error for an error response, by libmsalruntime's Response_Status, as in MSAL .NET and MSAL Python.
  private init(_ errorResponse: LinuxBrokerErrorResponse) {
    let (remedy, code) = errorResponse.remedyAndCode
    let details = [errorResponse.context, errorResponse.subError ?? ""].filter { !$0.isEmpty }
    self.init(
      remedy, code,
      "The identity broker returned an error: "
        + (details.isEmpty ? "no details" : details.joined(separator: "; ")))
    suberror = errorResponse.subError
    serverCodes = errorResponse.serverCodes
    if let number = errorResponse.number {
      causes = [TesseraError.Cause(.broker, number, details.joined(separator: "; "))]
    }
  }
}

extension BrokerProblem {
  fileprivate var code: TesseraError.Code {
    switch remedy {
    case .signIn: .accountNotFound
    case .retryLater: .brokerUnresponsive
    default: .brokerUnavailable
    }
  }

  fileprivate var remedy: TesseraError.Remedy {
    switch self {
    case .noSessionBus, .libraryMissing, .notRunning, .unsupported, .forbidden,
      .authorityUnsupported:
      .fixConfiguration
    case .timeout, .ended, .failed, .responseInvalid, .responseTooLong: .retryLater
    case .accountUnknown: .signIn
    }
  }
}

extension LinuxBrokerErrorResponse {
  /// The corresponding remedy and code.
  fileprivate var remedyAndCode: (TesseraError.Remedy, TesseraError.Code) {
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
