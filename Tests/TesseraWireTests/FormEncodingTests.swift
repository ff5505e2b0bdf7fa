// SPDX-License-Identifier: MIT
// Tests of the form encoding and decoding.

import TesseraWire
import Testing

@Suite struct FormEncodingTests {
  @Test func `reserved characters are percent-encoded, and a space becomes a plus`() {
    #expect(FormFields.escape("aZ09-._~ /+&=ü") == "aZ09-._~+%2F%2B%26%3D%C3%BC")
  }

  @Test func `fields keep their order, and empty ones are omitted`() {
    var form = FormFields()
    form.add("client_id", "a b")
    form.add("scope", "")
    form.add("claims", nil as String?)
    form.add("refresh_token", Secret("r&t"))
    #expect(form.encoded == "client_id=a+b&refresh_token=r%26t")
  }

  @Test func `decoding reverses encoding`() {
    let text = "ä +%&=\u{0}~"
    #expect(FormFields.unescape(FormFields.escape(text)) == text)
  }

  @Test(arguments: [("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%41%", "A%")])
  func `an invalid escape is kept unchanged`(_ text: String, _ expected: String) {
    #expect(FormFields.unescape(text) == expected)
  }

  @Test func `elements without a name are skipped`() {
    let form = FormFields(decoding: "&&a=1&=2&b&c=x=y")
    #expect(form["a"] == "1")
    #expect(form["b"] == "")
    #expect(form["c"] == "x=y")
    #expect(form.fields.count == 3)
  }
}
