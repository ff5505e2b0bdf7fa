// SPDX-License-Identifier: MIT
// The error descriptions that Foundation shows.

import Foundation
import Tessera
import TesseraEngine
import Testing

@Suite struct LocalizedErrorTests {
  @Test func `localizedDescription is the message of the error`() {
    let error: any Error = TesseraError(
      .signIn, .accountNotFound, "bob@contoso.com is not signed in.")
    #expect(error.localizedDescription == "bob@contoso.com is not signed in.")
  }

  @Test(arguments: TesseraError.Remedy.allCases)
  func `every remedy but cancelled has a recovery suggestion`(_ remedy: TesseraError.Remedy) {
    let error: any LocalizedError = TesseraError(remedy, .internalError, "It failed.")
    #expect((error.recoverySuggestion == nil) == (remedy == .cancelled))
  }

  @Test func `the recovery suggestion has the seconds to wait`() {
    var error = TesseraError(.retryLater, .throttled, "The server returned status 429.")
    error.retryAfterSeconds = 30
    #expect(error.recoverySuggestion == "Try again in 30 seconds.")
  }
}
