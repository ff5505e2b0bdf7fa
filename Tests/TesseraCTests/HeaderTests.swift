// SPDX-License-Identifier: MIT
// The constants and functions of the header compared with the library.

import CTessera
import TesseraEngine
import Testing

@Suite struct HeaderTests {
  @Test func `the versions of header and library are equal`() {
    #expect(TESSERA_VERSION == TesseraVersion.text)
    #expect(String(cString: tessera_version()) == TesseraVersion.text)
    let parts = "\(TESSERA_VERSION_MAJOR).\(TESSERA_VERSION_MINOR).\(TESSERA_VERSION_PATCH)"
    #expect(parts == TesseraVersion.text)
    let number =
      TESSERA_VERSION_MAJOR * 1_000_000 + TESSERA_VERSION_MINOR * 1000 + TESSERA_VERSION_PATCH
    #expect(TESSERA_VERSION_NUMBER == number)
    #expect(tessera_version_number() == number)
    #expect(tessera_abi_version() == TESSERA_ABI_VERSION)
  }

  @Test func `the status constants equal the remedies`() {
    let statuses: [(Int, TesseraError.Remedy)] = [
      (TESSERA_STATUS_SIGN_IN, .signIn), (TESSERA_STATUS_RETRY_LATER, .retryLater),
      (TESSERA_STATUS_FIX_REQUEST, .fixRequest),
      (TESSERA_STATUS_FIX_CONFIGURATION, .fixConfiguration),
      (TESSERA_STATUS_FIX_STORAGE, .fixStorage), (TESSERA_STATUS_CANCELLED, .cancelled),
      (TESSERA_STATUS_REPORT_BUG, .reportBug),
    ]
    #expect(statuses.map { Int32($0.0) } == TesseraError.Remedy.allCases.map(\.rawValue))
    #expect(statuses.map(\.1) == TesseraError.Remedy.allCases)
    #expect(TESSERA_STATUS_OK == 0)
  }

  @Test(arguments: TesseraError.Remedy.allCases)
  func `the name of a status is the name of the remedy`(_ remedy: TesseraError.Remedy) {
    #expect(String(cString: tessera_status_name(remedy.rawValue)) == remedy.name)
  }
}
