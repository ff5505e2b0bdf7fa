// SPDX-License-Identifier: MIT
// Registration of a scheme: the files it writes, preserves and removes.

import Foundation
import TesseraEngine
import Testing

@testable import TesseraPlatform

@Suite struct SchemeRegistrationTests {
  private static let entry = "data/applications/tessera-com.example.desktop"
  private static let list = "config/mimeapps.list"
  private static let command = ["/bin/true", "handle-url"]
  private static let others = """
    # my choices
    [Default Applications]
    text/plain=editor.desktop;

    [Added Associations]
    text/plain=editor.desktop;other.desktop

    [Something else]
    \u{e4}=\\ü
    """

  private func registration(
    _ desk: TestDesktop, _ scheme: String = "com.example"
  ) throws -> SchemeRegistration {
    SchemeRegistration(try RedirectScheme(scheme), desk.folders)
  }

  private func code(_ body: () throws -> Void) -> TesseraError.Code? {
    do { try body() } catch { return (error as? TesseraError)?.code }
    return nil
  }

  @Test func `a registered scheme is found, and unregistering removes all its files`() throws {
    let desk = try TestDesktop()
    let registration = try registration(desk)
    let changes = try registration.register(Self.command, name: "Mail", replaces: false)
    #expect(changes.written == [desk.path(Self.entry), desk.path(Self.list)])
    let opener = try #require(SchemeLookup(desk.folders).opener(of: "com.example"))
    #expect(opener.entry.command == Self.command + ["%u"])
    #expect(try registration.register(Self.command, name: "Mail", replaces: false) == changes)
    #expect(desk.files == [Self.list, Self.entry].sorted())
    #expect(try registration.unregister().removed == changes.written)
    #expect(desk.files.isEmpty)
    #expect(try registration.unregister() == SchemeRegistration.Changes())
  }

  @Test(arguments: [
    others, others + "\n", "", "\n", "[Default Applications]\n", "no list at all",
    "[Default Applications]\n[ no group\nx-scheme-handler/com.other=b.desktop;",
  ])
  func `entries of others are preserved byte by byte`(before: String) throws {
    let desk = try TestDesktop([Self.list: before])
    chmod(desk.path(Self.list), 0o640)
    let registration = try registration(desk)
    _ = try registration.register(Self.command, name: "Mail", replaces: false)
    let during = try #require(desk.read(Self.list))
    for line in before.split(separator: "\n") { #expect(during.contains(line)) }
    var status = stat()
    #expect(stat(desk.path(Self.list), &status) == 0 && status.st_mode & 0o777 == 0o640)
    _ = try registration.unregister()
    let after = desk.read(Self.list) ?? ""
    // An empty group at the end may have been there before, or be left by the registration.
    let meant = before.trimmingCharacters(in: .newlines) == "[Default Applications]" ? "" : before
    #expect(after.trimmingCharacters(in: .newlines) == meant.trimmingCharacters(in: .newlines))
  }

  @Test func `two schemes are registered independently`() throws {
    let desk = try TestDesktop([Self.list: Self.others])
    let (first, second) = (try registration(desk), try registration(desk, "com.example.two"))
    _ = try first.register(Self.command, name: "One", replaces: false)
    _ = try second.register(Self.command, name: "Two", replaces: false)
    _ = try first.unregister()
    #expect(SchemeLookup(desk.folders).opener(of: "com.example") == nil)
    #expect(SchemeLookup(desk.folders).opener(of: "com.example.two") != nil)
    _ = try second.unregister()
    #expect(desk.read(Self.list) == Self.others + "\n")
  }

  @Test func `a scheme of another application is replaced only on request, and restored`() throws {
    let other = "[Default Applications]\nx-scheme-handler/com.example=other.desktop;\n"
    let desk = try TestDesktop([
      Self.list: other,
      "share/applications/other.desktop": "[Desktop Entry]\nType=Application\nExec=/bin/true\n",
    ])
    let registration = try registration(desk)
    #expect(
      code { _ = try registration.register(Self.command, name: "Mail", replaces: false) }
        == .redirectSchemeTaken)
    #expect(desk.read(Self.list) == other && desk.read(Self.entry) == nil)
    _ = try registration.register(Self.command, name: "Mail", replaces: true)
    let lookup = SchemeLookup(desk.folders)
    #expect(lookup.opener(of: "com.example")?.id == "tessera-com.example.desktop")
    _ = try registration.unregister()
    #expect(lookup.opener(of: "com.example")?.id == "other.desktop")
    #expect(desk.read(Self.list) == other)
  }

  @Test func `registering removes the handler from the removed associations`() throws {
    let desk = try TestDesktop([
      Self.list:
        "[Removed Associations]\nx-scheme-handler/com.example=tessera-com.example.desktop;b.desktop;\n"
    ])
    _ = try registration(desk).register(Self.command, name: "Mail", replaces: false)
    #expect(desk.read(Self.list)?.contains("x-scheme-handler/com.example=b.desktop;\n") == true)
  }

  @Test func `concurrent registrations lose no entries`() throws {
    let desk = try TestDesktop([Self.list: Self.others])
    let schemes = (0..<8).map { "com.example.at-once-\($0)" }
    DispatchQueue.concurrentPerform(iterations: schemes.count) { index in
      let registration = try? registration(desk, schemes[index])
      _ = try? registration?.register(Self.command, name: "Mail", replaces: false)
    }
    let list = try #require(desk.read(Self.list))
    for scheme in schemes { #expect(list.contains("x-scheme-handler/\(scheme)=")) }
    DispatchQueue.concurrentPerform(iterations: schemes.count) { index in
      _ = try? registration(desk, schemes[index]).unregister()
    }
    #expect(desk.read(Self.list) == Self.others + "\n")
    #expect(SmallFile.names(in: desk.path("config")) == ["mimeapps.list"])
  }

  @Test func `a list that is a symbolic link stays one, even if it becomes empty`() throws {
    let desk = try TestDesktop(["dotfiles/list": "", "config/x": ""])
    symlink("../dotfiles/list", desk.path(Self.list))
    let registration = try registration(desk)
    _ = try registration.register(Self.command, name: "Mail", replaces: false)
    #expect(desk.read("dotfiles/list")?.contains("com.example") == true)
    let changes = try registration.unregister()
    #expect(desk.read("dotfiles/list") == "")
    #expect(changes.written == [desk.path(Self.list)])
    var status = stat()
    #expect(lstat(desk.path(Self.list), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a list that is a symbolic link stays one`() throws {
    let desk = try TestDesktop(["dotfiles/list": Self.others, "config/x": ""])
    symlink("../dotfiles/list", desk.path(Self.list))
    _ = try registration(desk).register(Self.command, name: "Mail", replaces: false)
    #expect(desk.read("dotfiles/list")?.contains("com.example") == true)
    var status = stat()
    #expect(lstat(desk.path(Self.list), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `an entry file of another application is not changed`() throws {
    let desk = try TestDesktop([Self.entry: "[Desktop Entry]\nType=Application\nExec=/bin/true\n"])
    let before = desk.read(Self.entry)
    let registration = try registration(desk)
    for body in [
      { _ = try registration.register(Self.command, name: "Mail", replaces: true) },
      { _ = try registration.unregister() },
    ] {
      #expect(code(body) == .redirectSchemeNotRegistered)
      #expect(desk.read(Self.entry) == before && desk.read(Self.list) == nil)
    }
  }

  @Test func `a list that is not a regular file is not replaced`() throws {
    let desk = try TestDesktop(["config/x": ""])
    mkfifo(desk.path(Self.list), 0o600)
    let registration = try registration(desk)
    #expect(
      code { _ = try registration.register(Self.command, name: "Mail", replaces: false) }
        == .redirectSchemeNotRegistered)
    #expect(desk.read(Self.entry) == nil)
  }

  @Test(arguments: [
    (["true"], "Mail"), ([], "Mail"), (["/bin/a=b"], "Mail"), (["/bin/100%"], "Mail"),
    (["/bin/true", "a\nExec=b"], "Mail"),
    (["/bin/true"], "Mail\nExec=/bin/sh"), (["/not/there"], "Mail"),
  ])
  func `a command that cannot be written or started is rejected`(
    command: [String], name: String
  ) throws {
    let desk = try TestDesktop()
    let registration = try registration(desk)
    #expect(
      code { _ = try registration.register(command, name: name, replaces: false) }
        == .redirectSchemeNotRegistered)
  }

  @Test func `a program may have any name that can be escaped`() throws {
    let desk = try TestDesktop(["my $HOME \"program\" \\": "#!/bin/sh\n"])
    let program = desk.path("my $HOME \"program\" \\")
    chmod(program, 0o700)
    let words = [program, "--a b", "100%", "%u"]
    _ = try registration(desk).register(words, name: "Mail; \\ 100%", replaces: false)
    let opener = SchemeLookup(desk.folders).opener(of: "com.example")
    #expect(
      opener?.entry.command == words.map { $0.replacing("%", with: "%%") } + ["%u"])
  }

  @Test func `a list with precedence over ours fails the registration`() throws {
    let desk = try TestDesktop(
      [
        "config/gnome-mimeapps.list":
          "[Default Applications]\nx-scheme-handler/com.example=b.desktop\n",
        "data/applications/b.desktop": "[Desktop Entry]\nType=Application\nExec=/bin/true\n",
      ], desktop: "GNOME")
    #expect(
      code { _ = try registration(desk).register(Self.command, name: "Mail", replaces: true) }
        == .redirectSchemeNotRegistered)
  }

  @Test func `reserved schemes and invalid names are rejected`() {
    for name in [
      "http", "https", "file", "mailto", "ftp", "ssh", "javascript", "data", "about", "tel",
      "slack",
      "chrome-extension", "web+tea", "ms-word", "", "a b", "1a", "a/b", "a:", "A", "../x", "ä",
      String(repeating: "a", count: 129),
    ] {
      #expect(code { _ = try RedirectScheme(name) } == .invalidRedirectURI, "\(name)")
    }
    for name in ["com.example.app", "a", "msauth.com.example.mail", "msal1-2+3"] {
      #expect(code { _ = try RedirectScheme(name) } == nil, "\(name)")
    }
  }
}
