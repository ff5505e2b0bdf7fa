// SPDX-License-Identifier: MIT
// Web views: shell scripts that implement the protocol of tessera-webview, and some that violate it.

import Foundation
import TesseraEngine
import TesseraPlatform
import TestSupport
import Testing

@Suite struct WebViewTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Creates a web view that reads its request and then runs a script.
  private func preferences(_ script: String) throws -> BrowserPreferences {
    let path = directory.path + "/tessera-webview"
    let reading =
      #"while read -r line && [ -n "$line" ]; do echo "$line" >>"$folder/request"; done"#
    try "#!/bin/sh\nfolder=\(directory.path)\n\(reading)\n\(script)\n"
      .write(toFile: path + ".text", atomically: false, encoding: .utf8)
    // Write the file in another process: a concurrent fork of this one would keep it open for writing.
    let install = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "700", path + ".text", path])
    install.waitUntilExit()
    var preferences = BrowserPreferences()
    preferences.webviewType = .embedded
    preferences.webviewProgram = path
    return preferences
  }

  private func written(_ name: String) -> String? {
    try? String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
  }

  @Test func `the web view gets the URL on standard input and ends after the response`() throws {
    let signIn = WaitingSignIn(
      preferences: try preferences(
        """
        ls -l /proc/$$/fd | sed 's/.*-> //' >"$folder/descriptors"
        echo "$#" >"$folder/start"
        echo 'answer http://localhost/?code=c&state=wrong'
        echo 'answer http://localhost/?code=c&state=right'
        cat >/dev/null
        echo over >"$folder/end"
        """))
    #expect(signIn.answer == "http://localhost/?code=c&state=right")
    // The output may also name the machine's certificate authorities.
    #expect(
      written("request")?.hasPrefix(
        """
        tessera-webview 1
        page https://login.example/authorize?state=right&redirect_uri=http://localhost
        redirect http://localhost
        session ephemeral

        """) == true)
    #expect(written("start") == "0\n")
    let open = Set((written("descriptors") ?? "").split(separator: "\n").dropFirst())
      .filter { $0 != "/dev/null" && !$0.hasPrefix(directory.path) && !$0.hasPrefix("pipe:") }
    #expect(open.count == 1 && open.first?.hasPrefix("socket:") == true, "\(open)")
    #expect(eventually { written("end") == "over\n" })
    guard case .received(_, let reason) = signIn.end else { return }
    #expect(reason == "chosen")
    #expect(signIn.prompts.elements.map(\.opensBrowser) == [true])
  }

  @Test func `any scheme is accepted as redirect URI, and the session can be shared`() throws {
    for redirectURI in ["msauth.com.example://auth", "https://app.example/callback"] {
      var webPreferences = try preferences(
        "echo 'answer \(redirectURI)?code=c&state=right'; cat >/dev/null")
      webPreferences.prefersEphemeralWebBrowserSession = false
      let signIn = WaitingSignIn(redirectURI, preferences: webPreferences)
      #expect(signIn.answer == "\(redirectURI)?code=c&state=right")
    }
    #expect(written("request")?.contains("\nsession shared\n") == true)
  }

  @Test func `the web view gets the certificates and the proxy of the network settings`() throws {
    var network = NetworkSettings()
    network.certificateAuthorityFile = "/etc/own authorities.pem"
    network.proxy = "http://proxy.example:3128"
    network.noProxy = "localhost,a\nb"
    let browser = SystemBrowser(time: SystemTime(), network: network)
    let signIn = WaitingSignIn(browser: browser, preferences: try preferences("echo closed"))
    #expect(signIn.errorCode == .cancelled)
    let request = written("request") ?? ""
    #expect(request.contains("\ntrust /etc/own authorities.pem\nproxy http://proxy.example:3128\n"))
    #expect(!request.contains("\ndirect"))
  }

  @Test(arguments: [
    ("echo closed", TesseraError.Code.cancelled, "The user closed the window."),
    ("echo refused file", .navigationRefused, "(file:)"),
    ("echo posted", .invalidAuthorizationResponse, "form post"),
    ("echo untrusted login.example:8443 CN=A,O=B C", .certificateUntrusted, "CN=A,O=B C"),
    ("echo untrusted login.example", .certificateUntrusted, "login.example is not trusted"),
    ("echo unavailable there is no display", .webviewUnavailable, "there is no display"),
    ("echo failed the page has ended", .webviewFailed, "the page has ended"),
    ("kill -SEGV $$", .webviewFailed, "status 139"), ("exit 0", .webviewFailed, "status 0"),
    ("exit 3", .webviewFailed, "status 3"), ("exec >&-; sleep 0.2; exit 4", .webviewFailed, "4"),
    ("echo something else", .webviewFailed, "invalid message"),
    ("printf 'closed\\r\\n'", .webviewFailed, "invalid message"),
    ("head -c 100000 /dev/zero | tr '\\0' a", .webviewFailed, "invalid message"),
    (
      "for i in 1 2 3 4; do echo answer x; echo answer y; echo answer z; echo answer w; done; cat",
      .stateMismatch, "a different state"
    ),
  ])
  func `messages and exit statuses of the web view are mapped to error codes`(
    script: String, code: TesseraError.Code, words: String
  ) throws {
    let signIn = WaitingSignIn(preferences: try preferences(script))
    guard case .failed(let error) = signIn.end else {
      Issue.record("no error")
      return
    }
    #expect(error.code == code)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test(arguments: [nil, 1000] as [Int64?])
  func `a web view that ignores signals is killed together with its children`(timeout: Int64?)
    throws
  {
    let signIn = WaitingSignIn(
      preferences: try preferences(
        """
        trap '' TERM HUP INT
        sleep 1000 & echo "$$ $!" >"$folder/ids-" && mv "$folder/ids-" "$folder/ids"
        while true; do sleep 1000; done
        """), timeoutMilliseconds: timeout)
    #expect(eventually { written("ids") != nil })
    if timeout == nil { signIn.cancellation.cancel() }
    #expect(signIn.errorCode == (timeout == nil ? .cancelled : .deadlineExceeded))
    let ids = (written("ids") ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    #expect(ids.count == 2)
    #expect(eventually { ids.allSatisfy { hasExited($0) } })
    #expect(eventually { !hasChildProcess() })
  }

  /// Whether this process has an exited child that was not waited for.
  ///
  /// Does not wait for it.
  private func hasChildProcess() -> Bool {
    var found = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT | Int32(bitPattern: 0x4000_0000)
    return waitid(P_ALL, 0, &found, options) == 0 && found.si_signo == SIGCHLD
  }

  /// Whether a process has exited.
  ///
  /// It may remain a zombie if the init process does not wait for it.
  private func hasExited(_ id: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else {
      return true
    }
    return text.split(separator: ")").last?.hasPrefix(" Z") == true
  }

  @Test func `without tessera-webview the error names the package to install`() throws {
    var webPreferences = BrowserPreferences()
    webPreferences.webviewType = .embedded
    webPreferences.webviewProgram = directory.path + "/missing"
    try expectUnavailable(webPreferences, "make install-webview")
    webPreferences.webviewProgram = "tessera-webview"
    #expect(WaitingSignIn(preferences: webPreferences).errorCode == .invalidMember)
  }

  @Test func `the reason is reported for a program that is not started`() throws {
    var webPreferences = try preferences("echo closed")
    let program = directory.path + "/tessera-webview"
    chmod(program, 0o777)
    try expectUnavailable(webPreferences, "is writable by all users")
    chmod(program, 0o600)
    try expectUnavailable(webPreferences, "cannot be executed")
    webPreferences.webviewProgram = directory.path
    try expectUnavailable(webPreferences, "is not a regular file")
  }

  @Test func `a program that another user could replace is not started`() throws {
    var webPreferences = try preferences("echo closed")
    let folder = directory.path + "/libexec"
    mkdir(folder, 0o755)
    let program = folder + "/tessera-webview"
    rename(directory.path + "/tessera-webview", program)
    webPreferences.webviewProgram = program
    chmod(folder, 0o777)
    try expectUnavailable(webPreferences, "is writable by all users")
    chmod(folder, 0o775)
    chown(folder, uid_t.max, 65_533)
    if geteuid() == 0 { try expectUnavailable(webPreferences, "is writable by its group") }
    chmod(folder, 0o755)
    chmod(program, 0o775)
    try expectUnavailable(webPreferences, "is writable by its group")
  }

  private func expectUnavailable(_ webPreferences: BrowserPreferences, _ words: String) throws {
    guard case .failed(let error) = WaitingSignIn(preferences: webPreferences).end else {
      Issue.record("there is one")
      return
    }
    #expect(error.code == .webviewUnavailable)
    #expect(error.message.contains(words))
  }

  @Test func `candidates are next to the library, never in the working directory`() {
    let file = "/opt/t/lib/libtessera.so.1"
    #expect(
      WebViewLocation.candidates(chosen: nil, ownFile: file) == [
        "/opt/t/libexec/tessera-webview", "/opt/t/lib/libexec/tessera-webview",
        "/usr/local/libexec/tessera-webview", "/usr/libexec/tessera-webview",
      ])
    for unknown in [nil, "", "libtessera.so", "./libtessera.so"] {
      #expect(
        WebViewLocation.candidates(chosen: nil, ownFile: unknown) == [
          "/usr/local/libexec/tessera-webview", "/usr/libexec/tessera-webview",
        ])
    }
    #expect(WebViewLocation.candidates(chosen: "/x", ownFile: file) == ["/x"])
  }

  @Test func `messages can arrive in pieces, and an invalid line ends the conversation`() {
    var lines = WebViewLines()
    #expect(lines.messages(of: "answer ht".utf8).isEmpty)
    #expect(lines.messages(of: "tp://x\nclosed\n".utf8) == [.redirected("http://x"), .closed])
    #expect(
      lines.messages(of: "untrusted h\nposted\n".utf8) == [
        .untrusted(host: "h", issuer: nil), .posted,
      ])
    #expect(!lines.isBroken)
    #expect(lines.messages(of: "closed \nclosed\n".utf8) == [])
    #expect(lines.isBroken && lines.messages(of: "closed\n".utf8) == [])
    for line in [
      "", "answer", "answer ", "closed now", "posted x", "Answer x", "failed", "a\u{1}b",
    ] {
      #expect(WebViewMessage(line) == nil)
    }
    var endless = WebViewLines()
    #expect(endless.messages(of: Array(repeating: UInt8(ascii: "a"), count: 70_000)).isEmpty)
    #expect(endless.isBroken)
  }
}
