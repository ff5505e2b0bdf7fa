// SPDX-License-Identifier: MIT
// Why the broker did not do what it was asked: its own words, and its numbers.

/// Why there is no answer of use.
package enum LinuxBrokerFailure: Error, Sendable, Equatable {
  /// The broker says no.
  case refused(LinuxBrokerRefusal)
  /// What came is no answer.
  case malformed(WireError)
}

/// The broker's own error.
package struct LinuxBrokerRefusal: Sendable, Equatable {
  /// What the numbers of the member `status` mean: they are libmsalruntime's Response_Status.
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

  /// The member `status`; nil for a number that nobody knows, or none.
  package let status: Status?
  /// The number as it was sent.
  package let number: Int64?
  /// What the broker says happened, for a developer.
  package let context: String
  /// The broker's further word for it, such as `token_expired`.
  package let subError: String?
  /// Where in the broker's code it happened.
  package let tag: Int64?

  /// Reads the member `error`, which some brokers make a text.
  init(_ error: JSONValue, subError: String?) {
    let json = error.object ?? [:]
    number = json["status"]?.integer
    status = number.flatMap(Status.init(rawValue:))
    let words = [json["context"] ?? json["message"], json["diagnostics"], error]
      .compactMap { $0?.string?.nonBlank }
    context = words.joined(separator: " ").plain(atMost: 1000)
    self.subError = (subError ?? json["subError"]?.string)?.nonBlank?.plain(atMost: 100)
    tag = json["tag"]?.integer
  }

  /// The numbers of the server (AADSTS) in the broker's words.
  package var serverCodes: [Int64] {
    context.split(separator: "AADSTS").dropFirst(context.hasPrefix("AADSTS") ? 0 : 1)
      .prefix(10).compactMap { Int64($0.prefix { $0.isASCII && $0.isNumber }) }
  }
}
