// SPDX-License-Identifier: MIT
// Locations of the caches of other applications, derived from the environment.

import TesseraEngine
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct KnownCacheLocationsTests {
  private func folders(_ environment: [String: String]) throws -> CacheDirectories {
    try CacheDirectories { environment[$0] }
  }

  @Test func `by default all caches are in the home directory`() throws {
    let folders = try folders(["HOME": "/home/ann"])
    #expect(folders.azure == "/home/ann/.azure")
    #expect(folders.data == "/home/ann/.local/share")
    #expect(folders.cache == "/home/ann/.cache")
  }

  @Test func `environment variables change the folders of their applications`() throws {
    let folders = try folders([
      "HOME": "/home/ann", "AZURE_CONFIG_DIR": "/srv/azure", "XDG_DATA_HOME": "/srv/data",
      "XDG_CACHE_HOME": "/srv/cache",
    ])
    #expect(
      KnownCacheLocations.azureCLI(folders).all.map(\.signal)
        == ["json", "bin", "sig"].map { "/srv/azure/msal_token_cache." + $0 })
    // The Python library expands "~", regardless of these variables.
    #expect(
      KnownCacheLocations.azureIdentity(folders, "msal.cache.cae").file
        == "/home/ann/.IdentityService/msal.cache.cae")
    #expect(
      KnownCacheLocations.azurePowerShell(folders, "msal.cache.nocae").file
        == "/srv/data/.IdentityService/msal.cache.nocae")
  }

  @Test func `a relative folder is ignored, except for the Azure CLI`() throws {
    let folders = try folders([
      "HOME": "/home/ann", "XDG_DATA_HOME": "data", "AZURE_CONFIG_DIR": "~/cloud",
    ])
    #expect(folders.data == "/home/ann/.local/share")
    #expect(folders.azure == "/home/ann/cloud")
    #expect(throws: TesseraError.self) {
      try self.folders(["HOME": "/home/ann", "AZURE_CONFIG_DIR": "cloud"])
    }
  }

  @Test func `without HOME the error names msal_cache`() {
    let error = #expect(throws: TesseraError.self) { try folders(["AZURE_CONFIG_DIR": "/srv"]) }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.message.contains("msal_cache") == true)
  }

  @Test func `items of the Python library are found by schema, those of DotNET by attributes`()
    throws
  {
    let folders = try folders(["HOME": "/home/ann"])
    let python = try #require(
      KnownCacheLocations.azureIdentity(folders, "msal.cache.cae").items.first)
    #expect(python.signal == "/home/ann/.IdentityService/msal.cache.cae")
    #expect(
      python.item.searchAttributes.map { "\($0.name)=\($0.value)" } == [
        "xdg:schema=msal.cache.cae", "MsalClientID=Microsoft.Developer.IdentityService",
      ])
    let other = try #require(
      KnownCacheLocations.azurePowerShell(folders, "msal.cache.cae").items.first)
    #expect(
      other.item.searchAttributes.map { "\($0.name)=\($0.value)" } == [
        "MsalClientID=Microsoft.Developer.IdentityService",
        "Microsoft.Developer.IdentityService=1.0.0.0",
      ])
    #expect(other.item.schema == "msal.cache" && !other.item.hasOneSignal)
    #expect(other.item.storedAttributes.map(\.value).first == "msal.cache")
    #expect(other.item.label == "msal.cache.cae" && python.item.label == "MSALCache")
  }
}
