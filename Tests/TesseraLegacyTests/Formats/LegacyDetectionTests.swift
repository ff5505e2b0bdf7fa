// SPDX-License-Identifier: MIT
// Detection of the format of an older cache, and the cache path of the Azure CLI.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct LegacyDetectionTests {
  @Test(
    arguments: [
      ("\u{3}\0\0\0\0\0\0\0", .adalDotNet), ("\u{2}\0\0\0\0\0\0\0", .adalDotNet),
      ("\u{3}\0\0\0", nil), ("\u{3}\0\u{1}\0\0\0\0\0", nil),
      ("[]", .adalPython), (" \n[ ] ", .adalPython), ("[", nil), ("[1]", nil), ("[[]]", nil),
      (#"[{"Key":"accounts","Value":[]}]"#, .msalDotNet), (#"[{"Key":"accounts"}]"#, nil),
      (#"[{"_authority":"https://x.example/t","_clientId":"app"}, tru"#, .adalPython),
      (#"[{"_authority":"x","expiresOn":"2030-01-01T00:00:00.000Z"}]"#, .adalNode),
      (#"[{"_clientId":"04b07795-8ddb-461a-bbee-02f9e1bf7b46"}]"#, .azureCLI),
      (#"[{"service_principal_id":"a"}]"#, .azureCLI),
      (#"{"_entries":[]}"#, .adalNode), (#"{"AccountMetadataMap":{}}"#, .msalMacOS),
      (#"{"Other":{},"RefreshToken":{}"#, .msalMacOS), ("{}", nil), (#"{"a":1}"#, nil),
      ("\u{FEFF}{\"Account\":{}}", .msalMacOS), ("", nil), ("text", nil), ("\u{FEFF}", nil),
      ("<!DOCTYPE html><html>", nil),
    ] as [(String, LegacyFormat?)])
  func `the format is detected from the first bytes`(_ text: String, _ format: LegacyFormat?) {
    #expect(LegacyFormat.detectedFormat(in: Array(text.utf8)) == format)
  }

  @Test(
    arguments: [
      ([:], []), (["HOME": ""], []),
      (["HOME": "/home/alice"], ["/home/alice/.azure/accessTokens.json"]),
      (["HOME": "/home/alice", "AZURE_CONFIG_DIR": "/cfg"], ["/cfg/accessTokens.json"]),
      (
        ["HOME": "/home/alice", "AZURE_CONFIG_DIR": "", "AZURE_ACCESS_TOKEN_FILE": " "],
        ["/home/alice/.azure/accessTokens.json"]
      ),
      (["AZURE_CONFIG_DIR": "/cfg", "AZURE_ACCESS_TOKEN_FILE": "/t.json"], ["/t.json"]),
    ] as [([String: String], [String])])
  func `the cache path of the Azure CLI follows its environment variables`(
    _ environment: [String: String], _ places: [String]
  ) {
    #expect(AzureCLICachePaths.tokens(environment: environment) == places)
  }
}
