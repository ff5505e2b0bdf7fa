// SPDX-License-Identifier: MIT
// Parsing of authority URLs: kind, canonical form, discovery document and tenant.

import TesseraCache
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@Suite struct AuthorityReadingTests {
  /// A URL, the kind derived from it, and its canonical form.
  ///
  /// The first five are MSAL's own test vectors.
  static let addresses: [(String, AuthorityType, String)] = [
    (
      "https://login.microsoftonline.com/common/qwe?bad=param", .entra,
      "https://login.microsoftonline.com/common"
    ),
    (
      "https://login.microsoftonline.com/tfp/tenant/policy/qwe?bad=param", .b2c,
      "https://login.microsoftonline.com/tfp/tenant/policy"
    ),
    (
      "https://msidlab1.ciamlogin.com?bad=param", .ciam,
      "https://msidlab1.ciamlogin.com/msidlab1.onmicrosoft.com"
    ),
    (
      "https://msidlab1.ciamlogin.com/GUID/v2.0", .ciam, "https://msidlab1.ciamlogin.com/guid"
    ),
    (
      "https://login.microsoftonline.com/tfp/ContosoB2C/B2C_1_Policy", .b2c,
      "https://login.microsoftonline.com/tfp/contosob2c/b2c_1_policy"
    ),
    (
      "https://Contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_Signin/v2.0", .b2c,
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin"
    ),
    (
      "https://login.contoso.example/TFP/contoso/b2c_1a_custom", .b2c,
      "https://login.contoso.example/tfp/contoso/b2c_1a_custom"
    ),
    ("https://adfs.contoso.example/ADFS/ls?x=y", .adfs, "https://adfs.contoso.example/adfs"),
    ("https://id.example:8443/adfs", .adfs, "https://id.example:8443/adfs"),
    (
      "https://login.microsoftonline.us/Contoso.us", .entra,
      "https://login.microsoftonline.us/contoso.us"
    ),
    ("https://id.example/Realm/", .openID, "https://id.example/Realm/"),
    ("https://adfs.example/Realm", .openID, "https://adfs.example/Realm"),
  ]

  @Test(arguments: addresses)
  func `the kind is derived from the URL, which has one canonical form`(
    _ address: String, _ type: AuthorityType, _ text: String
  ) throws {
    let authority = try Authority(address, type: nil)
    #expect(authority.type == type)
    #expect(authority.text == text)
    #expect(try Authority(text, type: type) == Authority(authority.text, type: type))
  }

  @Test(arguments: [
    ("https://login.contoso.example/contoso.onmicrosoft.com/b2c_1_signin", AuthorityType.b2c),
    ("https://login.contoso.example/contoso.onmicrosoft.com", .ciam),
    ("https://login.contoso.example/contoso.onmicrosoft.com", .entra),
  ])
  func `a custom domain needs an explicit authority type`(_ address: String, _ type: AuthorityType)
    throws
  {
    #expect(try Authority(address, type: nil).type == .openID)
    let authority = try Authority(address, type: type)
    #expect(authority.type == type)
    #expect(authority.text == address)
    #expect(authority.tenant == "contoso.onmicrosoft.com")
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/adfs", AuthorityType.adfs),
    ("https://adfs.contoso.example", .adfs), ("https://login.contoso.example", .ciam),
    ("https://login.contoso.example/tenant", .b2c), ("https://login.contoso.example", .entra),
    ("https://id.example/adfs", .entra), ("https://id.example?x=y", .openID),
    ("https://id.example/#x", .openID),
  ])
  func `a URL without a required component is rejected`(_ address: String, _ type: AuthorityType) {
    expect(.invalidAuthority) { _ = try Authority(address, type: type) }
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/common", "common/v2.0"),
    ("https://x.b2clogin.com/t/b2c_1_p", "t/b2c_1_p/v2.0"),
    ("https://x.ciamlogin.com", "x.onmicrosoft.com/v2.0"),
    ("https://x.example/adfs", "adfs"), ("https://x.example/realm/", "realm"),
  ])
  func `the path of the discovery document depends on the kind`(_ address: String, _ path: String)
    throws
  {
    let authority = try Authority(address, type: nil)
    let origin = authority.address.origin
    #expect(authority.configurationURL == "\(origin)/\(path)/.well-known/openid-configuration")
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/common", "utid"),
    ("https://login.microsoftonline.com/consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"),
    ("https://login.microsoftonline.com/contoso.com", "contoso.com"),
    ("https://login.microsoftonline.com/tfp/t/b2c_1_p", "utid"),
    ("https://x.ciamlogin.com", "utid"), ("https://x.example/adfs", ""), ("https://x.example", ""),
  ])
  func `the realm without metadata follows from the authority`(_ address: String, _ realm: String)
    throws
  {
    let authority = try Authority(address, type: nil)
    #expect(authority.realm(of: "uid-b2c_1_p.utid", nil, hosts: []) == realm)
  }

  @Test func `a personal account has no tenant ID at organizations`() throws {
    let authority = try Authority("https://login.microsoftonline.com/organizations", type: nil)
    let dave = "uid.9188040d-6c67-4c5b-b112-36a304b66dad"
    #expect(authority.realm(of: dave, nil, hosts: []) == "organizations")
    #expect(authority.realm(of: "uid.utid", nil, hosts: []) == "utid")
  }

  @Test func `account metadata maps the authority to the realm`() throws {
    let authority = try Authority("https://login.microsoftonline.com/tfp/t/b2c_1_p", type: nil)
    let result = authority.resultText(realm: "00000000-0000-1234-5678-90abcdefffff")
    #expect(
      result
        == "https://login.microsoftonline.com/tfp/00000000-0000-1234-5678-90abcdefffff/b2c_1_p")
    var metadata = AccountMetadataRecord(clientID: "client", homeAccountID: "uid.utid")
    metadata.signIn("uid.utid", requested: authority.text, result: result)
    #expect(
      authority.realm(of: "uid.utid", metadata, hosts: [])
        == "00000000-0000-1234-5678-90abcdefffff")
  }
}
