// SPDX-License-Identifier: MIT
// The client capabilities of the tokens in known caches of other applications.

import TesseraEngine
import TesseraMSALFile
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
  func `a cache with a name that ends in cae has tokens with capabilities`(cache: String) {
    #expect(Self.claims(cache, []) == Self.claims("CP1"))
    #expect(Self.claims(cache, ["CP1"]) == Self.claims("CP1"))
    #expect(Self.claims(cache, ["cp1"]) == Self.claims("cp1"))
    #expect(Self.claims(cache, ["CP1", "CP2"]) == Self.claims("CP1"))
  }

  @Test func `the Azure CLI cache has tokens without capabilities, and CP1 is requested`() {
    #expect(Self.claims("azure_cli", []) == nil)
    #expect(Self.claims("azure_cli", ["CP1"]) == Self.claims("CP1"))
    #expect(Self.claims("azure_cli", ["CP2"]) == nil)
  }

  @Test(arguments: ["azure_identity", "azure_powershell", "/home/a/msal_token_cache.json"])
  func `a cache with an unknown owner has tokens without capabilities`(cache: String) {
    for capabilities in [[], ["CP1"]] { #expect(Self.claims(cache, capabilities) == nil) }
  }
}
