// SPDX-License-Identifier: MIT
// Authorities and header fields, checked against test vectors of MSAL for Apple.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct AuthorityVectorTests {
  @Test(arguments: TestVector.all(in: "authorities", areas: "authority"))
  func authority(_ vector: TestVector) throws {
    if vector.input["cloud"] != nil {
      let error = #expect(throws: TesseraError.self) {
        _ = try ApplicationConfiguration.authority(
          cloud: .worldwide, audience: .everybody, tenant: vector.input["rawTenant"]?.string)
      }
      #expect(error?.msalCode?.code == vector.expected["code"]?.integer)
      #expect(error?.msalCode?.internalCode == vector.expected["internal"]?.integer)
    } else if let utid = vector.input["client_info_utid"]?.string {
      let authority = try Authority(try #require(vector.input["authority"]?.string), type: nil)
      let result = vector.expected.string?.prefix { $0 != ";" }
      #expect(authority.resultText(realm: utid) == result.map(String.init))
    } else {
      let text = try #require(vector.input.string)
      let expected = try #require(vector.expected.string)
      if expected.hasPrefix("error") {
        expect(.invalidAuthority) { _ = try Authority(text, type: nil) }
      } else {
        #expect(try Authority(text, type: nil).text == expected)
      }
    }
  }

  @Test(arguments: TestVector.all(in: "authorities", areas: "wire"))
  func wire(_ vector: TestVector) throws {
    let uid = try #require(vector.input["uid"]?.string)
    let utid = try #require(vector.input["utid"]?.string)
    let bench = TestBench(origin: "https://login.microsoftonline.com")
    var serverClient = ServerClient(bench.dependencies, limits: .none)
    serverClient.homeAccountID = "\(uid).\(utid)"
    let authority = try Authority("https://login.microsoftonline.com/common", type: nil)
    _ = try serverClient.send(.get(authority.configurationURL), to: authority)
    let header = try #require(bench.transport.requests.first?.headers.last)
    #expect("\(header.name): \(header.value)" == vector.expected.string)
  }

  @Test(arguments: EntraCloud.allCases)
  func `every cloud and audience gives an Entra authority at a built-in host`(_ cloud: EntraCloud)
    throws
  {
    for audience in SignInAudience.allCases {
      let tenant = audience == .myOrganization ? "Contoso.com" : nil
      let text = try ApplicationConfiguration.authority(
        cloud: cloud, audience: audience, tenant: tenant)
      let authority = try Authority(text, type: nil)
      #expect(authority.type == .entra)
      #expect(CloudTable.cloud(of: authority.address.authority) != nil)
    }
    let common = try ApplicationConfiguration.authority(cloud: cloud)
    #expect(common.hasSuffix("/common"))
    #expect(try ApplicationConfiguration.authority(tenant: "x.example").hasSuffix("/x.example"))
  }

  @Test(arguments: ["", "a/b", "a?b", "a b", "ü"])
  func `an invalid tenant name is rejected`(_ tenant: String) {
    expect(.invalidConfiguration) {
      _ = try ApplicationConfiguration.authority(tenant: tenant)
    }
  }
}
