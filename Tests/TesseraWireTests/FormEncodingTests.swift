// SPDX-License-Identifier: MIT
// Form fields: escaped as the token endpoint wants them, and back.

import TesseraWire
import Testing

@Suite struct FormEncodingTests {
  @Test func `unreserved characters stay, space becomes a plus, the rest is escaped`() {
    #expect(FormFields.escape("aZ09-._~ /+&=ü") == "aZ09-._~+%2F%2B%26%3D%C3%BC")
  }

  @Test func `fields keep their order, empty ones are left out`() {
    var form = FormFields()
    form.add("client_id", "a b")
    form.add("scope", "")
    form.add("claims", nil as String?)
    form.add("refresh_token", Secret("r&t"))
    #expect(form.encoded == "client_id=a+b&refresh_token=r%26t")
  }

  @Test func `what was escaped comes back`() {
    let text = "ä +%&=\u{0}~"
    #expect(FormFields.unescape(FormFields.escape(text)) == text)
  }

  @Test(arguments: [("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%41%", "A%")])
  func `a damaged escape stays as it is`(_ text: String, _ expected: String) {
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
