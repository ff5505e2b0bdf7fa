// SPDX-License-Identifier: MIT
// The use of proxies, which excludes requests to this machine.

import Foundation
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct ProxyTests {
  /// Starts a proxy that records its connections and responds with status 203.
  private func proxy(_ seen: Recorder<String>) throws -> LoopbackServer {
    try LoopbackServer { connection in
      seen.add(connection.readRequest())
      connection.write("HTTP/1.1 203 Proxy\r\nContent-Length: 0\r\n\r\n")
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a request to this machine does not use the configured proxy`(_ host: String) throws {
    let seen = Recorder<String>()
    let proxy = try proxy(seen)
    let server = try LoopbackServer.responding("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    for noProxy in ["", "unrelated.example", nil] {
      var settings = NetworkSettings()
      settings.proxy = proxy.url()
      settings.noProxy = noProxy
      let response = try CurlTransport(settings).send(
        .get("http://\(host):\(server.port)/"), within: .none)
      #expect(response.status == 200)
    }
    #expect(seen.elements.isEmpty)
  }

  @Test func `a request to another host uses the configured proxy`() throws {
    let seen = Recorder<String>()
    let proxy = try proxy(seen)
    var settings = NetworkSettings()
    settings.proxy = proxy.url()
    settings.noProxy = ""
    let transport = CurlTransport(settings)
    #expect(try transport.send(.get("http://login.example.com/"), within: .none).status == 203)
    #expect(seen.elements.count == 1)
  }

  @Test func `a request to a host in no_proxy does not use the configured proxy`() throws {
    let seen = Recorder<String>()
    let proxy = try proxy(seen)
    var settings = NetworkSettings()
    settings.proxy = proxy.url()
    settings.noProxy = "name.invalid"
    expect(.networkFailed) {
      _ = try CurlTransport(settings).send(.get("http://name.invalid/"), within: .none)
    }
    #expect(seen.elements.isEmpty)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8400/", nil), ("https://localhost/", "http://proxy.example:8080"),
    ("http://[::1]:8400/", "http://proxy.example:8080"), ("https://127.1/", nil),
  ])
  func `requests to this machine use no proxy, with and without elevated rights`(
    _ url: String, _ configured: String?
  ) {
    var settings = NetworkSettings()
    settings.proxy = configured
    for isElevated in [false, true] {
      #expect(settings.effectiveProxy(for: url, isElevated: isElevated)?.isEmpty == true)
    }
  }

  @Test func `with elevated rights only the configured proxy is used`() {
    let url = "https://login.example.com/"
    var settings = NetworkSettings()
    #expect(settings.effectiveProxy(for: url, isElevated: false) == nil)
    #expect(settings.effectiveProxy(for: url, isElevated: true)?.isEmpty == true)
    settings.proxy = "http://proxy.example:8080"
    for isElevated in [false, true] {
      #expect(
        settings.effectiveProxy(for: url, isElevated: isElevated) == "http://proxy.example:8080")
    }
  }
}
