// SPDX-License-Identifier: MIT
// Tests of the parser of absolute http and https URLs (RFC 3986).

import TesseraWire
import Testing

@Suite struct WebURLTests {
  @Test(arguments: [
    ("HTTPS://A.Example/B", "https://a.example", ["B"]),
    ("https://a:443", "https://a", []), ("http://a:443/", "http://a:443", []),
    ("http://a:0080?b/c", "http://a", []), ("https://a:/b", "https://a", ["b"]),
    ("https://a:0/", "https://a:0", []), ("https://[::1]:8/x", "https://[::1]:8", ["x"]),
    ("https://[::FFFF:1.2.3.4]#a", "https://[::ffff:1.2.3.4]", []),
    ("https://a!$&'()*+,;=_~b/", "https://a!$&'()*+,;=_~b", []),
    ("https://a//b///c/", "https://a", ["b", "c"]),
    ("https://a/b@c:d%2f", "https://a", ["b@c:d%2f"]),
    ("https://a/{tenantid}/v2.0", "https://a", ["%7Btenantid%7D", "v2.0"]),
    ("https://a/b%zz%2", "https://a", ["b%25zz%252"]), ("https://a?b=://c", "https://a", []),
  ])
  func `a URL has an origin and path segments`(
    _ address: String, _ origin: String, _ segments: [String]
  ) throws {
    let url = try #require(WebURL(address))
    #expect(url.origin == origin)
    #expect(url.pathSegments == segments)
  }

  @Test(arguments: [
    "https:/a", "https:a", "://a", "https:///a", "https://:1", "https://?a", "https://#a",
    "ftp://a",
    "https://a@b", "https://@b", "https://a:b@c", "https://a:1@c", "https://a:-1", "https://a:+1",
    "https://a:1a", "https://a:65536", "https://a:99999999999999999999", "https://a:1:2",
    "https://::1/", "https://[::1", "https://[::1]a", "https://[::1]:a", "https://[]",
    "https://[a%25b]",
    "https://[xyz]", "https://a[::1]", "https://a\\b", "https://a\"b", "https://a^b",
    "https://a{b}",
    "https://a%41", "https://ä", "https://a/ä", "https://a/ b", "https://a/\u{7F}",
    "https:/a?b=://c",
  ])
  func `other texts are rejected`(_ address: String) {
    #expect(WebURL(address) == nil)
  }
}
