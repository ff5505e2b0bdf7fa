// SPDX-License-Identifier: MIT
// Lookup of a scheme's handler: a table that is also checked against xdg-mime and GLib, and invalid files.

import Foundation
import TesseraPlatform
import TesseraWire
import TestVectors
import Testing

@Suite struct SchemeLookupTests {
  @Test(arguments: TestVector.all(in: "schemes", areas: "scheme"))
  func `the handler is the one that desktops select`(vector: TestVector) throws {
    func texts(_ name: String) -> [String: String] {
      let members = (vector.input[name]?.object ?? JSONObject()).members
      return Dictionary(members.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
    }
    let desk = try TestDesktop(
      texts("files"), desktop: vector.input["desktop"]?.string, variables: texts("variables"))
    let opener = SchemeLookup(desk.folders).opener(of: "com.example")
    #expect(opener?.id == vector.expected["opener"]?.string)
  }

  @Test func `files that are not regular are not read and do not block`() throws {
    let desk = try TestDesktop(["data/applications/x.txt": "", "etc/x": ""])
    mkfifo(desk.path("etc/mimeapps.list"), 0o600)
    mkfifo(desk.path("data/applications/a.desktop"), 0o600)
    symlink("b.desktop", desk.path("data/applications/b.desktop"))
    mkdir(desk.path("data/applications/c.desktop"), 0o700)
    symlink("..", desk.path("data/applications/loop"))
    #expect(SchemeLookup(desk.folders).opener(of: "com.example") == nil)
  }

  @Test func `a file above the size limit is ignored`() throws {
    let line = "x-scheme-handler/com.example=a.desktop;\n"
    let entry = "[Desktop Entry]\nType=Application\nExec=/bin/true\n"
    let small = ["data/applications/a.desktop": entry, "config/mimeapps.list": ""]
    let desk = try TestDesktop(small)
    let filling = String(repeating: "# filling up\n", count: 400_000)
    try desk.write("[Default Applications]\n\(line)\(filling)", to: "config/mimeapps.list")
    #expect(SchemeLookup(desk.folders).opener(of: "com.example") == nil)
    try desk.write("[Default Applications]\n\(line)", to: "config/mimeapps.list")
    #expect(SchemeLookup(desk.folders).opener(of: "com.example")?.id == "a.desktop")
    try desk.write(entry + filling, to: "data/applications/a.desktop")
    #expect(SchemeLookup(desk.folders).opener(of: "com.example") == nil)
  }

  @Test func `parsing any bytes as a list or an entry preserves them`() {
    var random = SystemRandomNumberGenerator()
    let arguments =
      [
        "[", "]", "[Default Applications]", "[Desktop Entry]", "=", ";", "\n", "\r", "#", "\\",
        "\"",
        "Exec", "Type=Application", "x-scheme-handler/com.example=", "a.desktop;", "\u{0}", " ",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3]]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random))
        .flatMap { _ in arguments.randomElement(using: &random) ?? [] }
      let text = EntryText(bytes)
      _ = DesktopEntry(text)
      let ended = bytes.isEmpty || bytes.last == 0x0A ? bytes : bytes + [0x0A]
      #expect(text.bytes == ended)
    }
  }

  @Test(arguments: [
    ["/usr/bin/tessera", "handle-url"], ["/opt/my program/run", "--for=a b"], ["/a", ""],
    ["/a\"b", "$HOME", "`id`", "back\\slash", "100%", "%u", "it's", "a;b&c|d>e<f~g*h?i#j(k)l"],
  ])
  func `a quoted command is parsed back unchanged`(command: [String]) {
    let arguments = ExecLine.arguments(ExecLine.text(command))
    #expect(arguments == command.map { $0.replacing("%", with: "%%") } + ["%u"])
  }

  @Test func `a command is quoted only if necessary`() {
    #expect(ExecLine.text(["/usr/bin/tessera", "handle-url"]) == "/usr/bin/tessera handle-url %u")
    #expect(ExecLine.text(["/my \"$x\""]) == #""/my \"\$x\"" %u"#)
  }
}
