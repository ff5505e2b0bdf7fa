// SPDX-License-Identifier: MIT
// With which capabilities the owners of known caches ask for their tokens.

import TesseraEngine
import Testing

@Suite struct CacheCapabilitiesTests {
  private static func claims(_ cache: String, _ capabilities: [String]) -> String? {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.clientCapabilities = capabilities
    return MSALCache(cache)?.capabilityClaims(for: configuration)
  }

  private static func claims(_ names: String) -> String {
    #"{"access_token":{"xms_cc":{"values":["\#(names)"]}}}"#
  }

  @Test(arguments: ["azure_identity_cae", "azure_powershell_cae", "/home/a/.IdentityService/x.cae"])
  func `what ends in cae is for programs that handle challenges`(cache: String) {
    #expect(Self.claims(cache, []) == Self.claims("CP1"))
    #expect(Self.claims(cache, ["CP1"]) == Self.claims("CP1"))
    #expect(Self.claims(cache, ["cp1"]) == Self.claims("cp1"))
    #expect(Self.claims(cache, ["CP1", "CP2"]) == Self.claims("CP1"))
  }

  @Test func `the tokens of Azure CLI are for everybody`() {
    #expect(Self.claims("azure_cli", []) == nil)
    #expect(Self.claims("azure_cli", ["CP1"]) == Self.claims("CP1"))
    #expect(Self.claims("azure_cli", ["CP2"]) == nil)
  }

  @Test(arguments: ["azure_identity", "azure_powershell", "/home/a/msal_token_cache.json"])
  func `nothing is known of others`(cache: String) {
    for capabilities in [[], ["CP1"]] { #expect(Self.claims(cache, capabilities) == nil) }
  }
}
