// SPDX-License-Identifier: MIT
// The errors of the Linux identity broker, with its messages and status numbers.

package import TesseraWire

/// The reason why a broker call failed.
package enum LinuxBrokerError: Error, Sendable, Equatable {
  /// The broker returned an error.
  case errorResponse(LinuxBrokerErrorResponse)
  /// The response is not valid.
  case malformed(WireError)
}

/// An error that the broker returned.
package struct LinuxBrokerErrorResponse: Sendable, Equatable {
  /// The values of the member `status`, which are those of libmsalruntime's Response_Status.
  package enum Status: Int64, Sendable, CaseIterable {
    case unexpected = 0
    case reserved = 1
    case interactionRequired = 2
    case noNetwork = 3
    case networkTemporarilyUnavailable = 4
    case serverTemporarilyUnavailable = 5
    case apiContractViolation = 6
    case userCanceled = 7
    case applicationCanceled = 8
    case incorrectConfiguration = 9
    case insufficientBuffer = 10
    case authorityUntrusted = 11
    case userSwitch = 12
    case accountUnusable = 13
    case userDataRemovalRequired = 14
    case keyNotFound = 15
    case accountNotFound = 16
    case transientError = 17
    case accountSwitch = 18
    case requiredBrokerMissing = 19
    case deviceNotRegistered = 20
    case fallbackToNativeMSAL = 21
  }

  /// The member `status`; nil if it is absent or not a known value.
  package let status: Status?
  /// The unmapped value of `status`.
  package let number: Int64?
  /// The broker's error message, for a developer.
  package let context: String
  /// The broker's more specific error code, such as `token_expired`.
  package let subError: String?
  /// The location in the broker's source code at which the error occurred.
  package let tag: Int64?

  /// Reads the member `error`, which is an object or, in some brokers, a string.
  init(_ error: JSONValue, subError: String?) {
    let json = error.object ?? [:]
    number = json["status"]?.integer
    status = number.flatMap(Status.init(rawValue:))
    let messages = [json["context"] ?? json["message"], json["diagnostics"], error]
      .compactMap { $0?.string?.nonBlank }
    context = messages.joined(separator: " ").plain(atMost: 1000)
    self.subError = (subError ?? json["subError"]?.string)?.nonBlank?.plain(atMost: 100)
    tag = json["tag"]?.integer
  }

  /// The AADSTS numbers in the broker's message.
  package var serverCodes: [Int64] {
    context.parts(separatedBy: "AADSTS").dropFirst().prefix(10)
      .compactMap { Int64($0.prefix { $0.isASCII && $0.isNumber }) }
  }
}
