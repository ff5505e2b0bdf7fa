// SPDX-License-Identifier: MIT
// Error codes and messages of failed HTTP exchanges.

import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct CurlFailureTests {
  private func failure(
    _ request: HTTPRequest, _ settings: NetworkSettings = NetworkSettings()
  ) -> TesseraError? {
    timed { _ = try CurlTransport(settings).send(request, within: .none) }.error
  }

  @Test func `a missing libcurl fails with library_missing and the package name`() {
    let transport = CurlTransport(
      NetworkSettings(), time: SystemTime(), libraryNames: ["libcurl-absent.so.4", "libm.so.6"])
    let error = timed { _ = try transport.send(.get("http://127.0.0.1/"), within: .none) }.error
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.code == .libraryMissing)
    #expect(error?.message.contains("libcurl4") == true)
    #expect(error?.message.contains("libm.so.6: older than 7.68") == true)
  }

  @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "", "http://a:b@127.0.0.1/", "/x"])
  func `a URL that is not plain http or https is rejected`(url: String) {
    #expect(failure(.get(url))?.code == .invalidConfiguration)
  }

  @Test(arguments: ["a\r\nb: c", "a\0", "\u{7F}"])
  func `a header value cannot inject another header field`(value: String) throws {
    var request = HTTPRequest.get("http://127.0.0.1:1/")
    request.headers.append(HTTPHeader("X", value))
    #expect(failure(request)?.code == .invalidMember)
  }

  @Test func `a refused connection can be retried, and its error omits the query`() throws {
    let port = try LoopbackServer.unusedPort()
    let error = failure(.get("http://127.0.0.1:\(port)/token?code=secret"))
    #expect(error?.remedy == .retryLater)
    #expect(error?.code == .networkFailed)
    #expect(error?.message.hasPrefix("127.0.0.1:\(port) could not be reached: ") == true)
    #expect(error?.message.contains("secret") == false)
    #expect(error?.causes.map(\.domain) == [.libcurl] && error?.causes.first?.number == 7)
  }

  @Test func `a connection reset can be retried`() throws {
    let server = try LoopbackServer.resetting()
    #expect(failure(.get(server.url()))?.code == .networkFailed)
  }

  @Test func `a truncated response can be retried`() throws {
    let server = try LoopbackServer.responding("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
    #expect(failure(.get(server.url()))?.code == .networkFailed)
  }

  @Test func `a response that is not HTTP is invalid_response`() throws {
    let server = try LoopbackServer.responding("hello\r\n\r\n")
    #expect(failure(.get(server.url()))?.code == .invalidResponse)
  }

  @Test func `a body over the limit is not read to its end`() throws {
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      while connection.write([UInt8](repeating: 0x61, count: 65_536)) {}
    }
    let error = failure(.get(server.url()))
    #expect(error?.code == .invalidResponse)
    #expect(error?.remedy == .retryLater)
  }

  @Test func `an endless header is not read to its end`() throws {
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n")
      while connection.write("X: y\r\n") {}
    }
    #expect(failure(.get(server.url()))?.code == .invalidResponse)
  }

  @Test func `a proxy that requires credentials is a configuration error`() throws {
    let proxy = try LoopbackServer.responding(
      "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    var settings = NetworkSettings()
    settings.proxy = proxy.url()
    settings.noProxy = ""
    let error = failure(.get("https://login.example.com/"), settings)
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.message.contains("proxy for login.example.com requires") == true)
  }

  @Test func `the status of a proxy that rejects CONNECT is reported`() throws {
    let proxy = try LoopbackServer.responding(
      "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    var settings = NetworkSettings()
    settings.proxy = proxy.url()
    settings.noProxy = ""
    let error = failure(.get("https://login.example.com/"), settings)
    #expect(error?.code == .networkFailed)
    #expect(error?.message.hasSuffix("the proxy returned status 403.") == true)
  }

  @Test func `a connection closed by the server raises no SIGPIPE`() throws {
    let server = try LoopbackServer { _ = $0.readPiece() }
    let body = [UInt8](repeating: 0x61, count: 8_000_000)
    for _ in 0..<5 {
      let error = failure(HTTPRequest(method: "POST", url: server.url(), body: body))
      #expect(error?.code == .networkFailed)
    }
  }
}
