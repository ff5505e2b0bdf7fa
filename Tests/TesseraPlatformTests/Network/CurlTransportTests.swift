// SPDX-License-Identifier: MIT
// Requests and responses of the libcurl transport.

import Foundation
import TesseraEngine
import TesseraWire
import Testing

@testable import TesseraPlatform

@Suite struct CurlTransportTests {
  private let transport = CurlTransport()

  private func get(_ server: LoopbackServer, _ path: String = "/") throws -> HTTPResponse {
    try transport.send(.get(server.url(path)), within: .none)
  }

  @Test func `a response has its status, header fields and body`() throws {
    let server = try LoopbackServer.responding(
      "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    let response = try get(server)
    #expect(response.status == 400)
    #expect(response.headers["content-type"] == "application/json")
    #expect(response.body == Array("{}".utf8))
  }

  @Test func `a request is sent with its method, header fields and body`() throws {
    let seen = Recorder<String>()
    let server = try LoopbackServer { connection in
      seen.add(connection.readRequest())
      connection.write("HTTP/1.1 204 No Content\r\n\r\n")
    }
    var request = HTTPRequest(method: "POST", url: server.url("/token?x=1"))
    request.headers = [HTTPHeader("X-One", "1"), HTTPHeader("X-Empty", "")]
    request.body = Array("a=b&c=d".utf8)
    _ = try transport.send(request, within: .none)
    let text = seen.elements.first ?? ""
    #expect(text.hasPrefix("POST /token?x=1 HTTP/1.1\r\n"))
    #expect(text.contains("\r\nX-One: 1\r\nX-Empty:"))
    #expect(text.contains("\r\nUser-Agent: tessera\r\n"))
    #expect(!text.contains("Content-Type") && !text.contains("Expect"))
    #expect(text.hasSuffix("\r\n\r\na=b&c=d"))
  }

  @Test(arguments: ["GET", "PUT", "DELETE", "POST"])
  func `any method is sent, with an empty body by default`(method: String) throws {
    let seen = Recorder<String>()
    let server = try LoopbackServer { connection in
      seen.add(connection.readRequest())
      connection.write("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let request = HTTPRequest(method: method, url: server.url())
    #expect(try transport.send(request, within: .none).status == 204)
    #expect(seen.elements.first?.hasPrefix("\(method) / HTTP/1.1\r\n") == true)
  }

  @Test func `a large body is sent completely and without delay`() throws {
    let server = try LoopbackServer { connection in
      let length = connection.readRequest().utf8.count
      connection.write("HTTP/1.1 200 OK\r\nX-Length: \(length)\r\nContent-Length: 0\r\n\r\n")
    }
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    let response = try transport.send(
      HTTPRequest(method: "POST", url: server.url(), body: body), within: .none)
    #expect((response.headers["X-Length"].flatMap { Int($0) } ?? 0) > 3_000_000)
  }

  @Test func `header fields keep their order and repeated values`() throws {
    let server = try LoopbackServer.responding(
      "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 200 OK\r\nset-cookie: a=1\r\n"
        + "Set-Cookie:  b=2 \r\nX-Empty:\r\nX-Colon: a:b\r\nContent-Length: 0\r\n\r\n")
    #expect(
      try get(server).headers == [
        HTTPHeader("set-cookie", "a=1"), HTTPHeader("Set-Cookie", "b=2"),
        HTTPHeader("X-Empty", ""), HTTPHeader("X-Colon", "a:b"), HTTPHeader("Content-Length", "0"),
      ])
  }

  @Test func `a redirect is not followed`() throws {
    let server = try LoopbackServer.responding(
      "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    let response = try get(server)
    #expect(response.status == 302)
    #expect(response.headers["Location"] == "/elsewhere")
  }

  @Test func `a compressed body is decompressed`() throws {
    let packed = try #require(
      Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
    let server = try LoopbackServer.responding(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n",
      body: Array(packed))
    #expect(try get(server).body == Array("hello".utf8))
  }

  @Test func `concurrent requests can use one transport`() throws {
    let server = try LoopbackServer.responding("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    let statuses = Recorder<Int>()
    for _ in 0..<8 {
      Thread.detachNewThread { [transport, url = server.url()] in
        for _ in 0..<5 {
          statuses.add((try? transport.send(.get(url), within: .none).status) ?? 0)
        }
      }
    }
    #expect(statuses.waitFor(40))
    #expect(statuses.elements.allSatisfy { $0 == 200 })
  }

}
