// SPDX-License-Identifier: MIT
// Where other programs keep their caches, as the environment says.

import TesseraEngine
import Testing

@testable import TesseraPlatform

@Suite struct KnownPlacesTests {
  private func folders(_ environment: [String: String]) throws -> CacheFolders {
    try CacheFolders { environment[$0] }
  }

  @Test func `everything lies in the home if nothing else is said`() throws {
    let folders = try folders(["HOME": "/home/ann"])
    #expect(folders.azure == "/home/ann/.azure")
    #expect(folders.data == "/home/ann/.local/share")
    #expect(folders.cache == "/home/ann/.cache")
  }

  @Test func `a variable moves what its program keeps`() throws {
    let folders = try folders([
      "HOME": "/home/ann", "AZURE_CONFIG_DIR": "/srv/azure", "XDG_DATA_HOME": "/srv/data",
      "XDG_CACHE_HOME": "/srv/cache",
    ])
    #expect(
      KnownPlaces.azureCLI(folders).all.map(\.signal)
        == ["json", "bin", "sig"].map { "/srv/azure/msal_token_cache." + $0 })
    // Python's expands "~" whatever the variables say.
    #expect(
      KnownPlaces.azureIdentity(folders, "msal.cache.cae").file
        == "/home/ann/.IdentityService/msal.cache.cae")
    #expect(
      KnownPlaces.azurePowerShell(folders, "msal.cache.nocae").file
        == "/srv/data/.IdentityService/msal.cache.nocae")
  }

  @Test func `a relative folder is ignored, but for Azure CLI's`() throws {
    let folders = try folders([
      "HOME": "/home/ann", "XDG_DATA_HOME": "data", "AZURE_CONFIG_DIR": "~/cloud",
    ])
    #expect(folders.data == "/home/ann/.local/share")
    #expect(folders.azure == "/home/ann/cloud")
    #expect(throws: TesseraError.self) {
      try self.folders(["HOME": "/home/ann", "AZURE_CONFIG_DIR": "cloud"])
    }
  }

  @Test func `without a home there is an error with advice`() {
    let error = #expect(throws: TesseraError.self) { try folders(["AZURE_CONFIG_DIR": "/srv"]) }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.message.contains("msal_cache") == true)
  }

  @Test func `the item of Python is found by its schema, that of DotNET by its attributes`() throws
  {
    let folders = try folders(["HOME": "/home/ann"])
    let python = try #require(KnownPlaces.azureIdentity(folders, "msal.cache.cae").items.first)
    #expect(python.signal == "/home/ann/.IdentityService/msal.cache.cae")
    #expect(
      python.item.searched.map { "\($0.name)=\($0.value)" } == [
        "xdg:schema=msal.cache.cae", "MsalClientID=Microsoft.Developer.IdentityService",
      ])
    let other = try #require(KnownPlaces.azurePowerShell(folders, "msal.cache.cae").items.first)
    #expect(
      other.item.searched.map { "\($0.name)=\($0.value)" } == [
        "MsalClientID=Microsoft.Developer.IdentityService",
        "Microsoft.Developer.IdentityService=1.0.0.0",
      ])
    #expect(other.item.schema == "msal.cache" && !other.item.hasOneSignal)
    #expect(other.item.stored.map(\.value).first == "msal.cache")
    #expect(other.item.label == "msal.cache.cae" && python.item.label == "MSALCache")
  }
}
