// SPDX-License-Identifier: MIT
// The HTTP client of a host application as a transport of the engine.

import Synchronization
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct HostTransportTests {
  /// A client that gives the same response to each request, and records the last one.
  private final class Client: HostTransport {
    private let respond: @Sendable (TransportRequest) throws -> TransportResponse
    private let last = Mutex<TransportRequest?>(nil)

    var request: TransportRequest? { last.withLock { $0 } }

    init(_ respond: @escaping @Sendable (TransportRequest) throws -> TransportResponse) {
      self.respond = respond
    }

    func send(_ request: TransportRequest) throws -> TransportResponse {
      last.withLock { $0 = request }
      return try respond(request)
    }
  }

  private struct ClientError: Error, CustomStringConvertible {
    let description: String
  }

  private let clock = VirtualClock()
  private let request = HTTPRequest(
    method: "POST", url: "https://login.example/token?x=1", headers: [HTTPHeader("A", "b")],
    body: Array("refresh_token=the-refresh-token&scope=a".utf8))

  private func transport(_ client: Client) -> HostHTTPTransport {
    HostHTTPTransport(client, timeout: .seconds(30), time: clock)
  }

  private func error(
    within limits: CallLimits = .none,
    _ respond: @escaping @Sendable (TransportRequest) throws -> TransportResponse
  ) throws -> TesseraError {
    try #require(throws: TesseraError.self) {
      try transport(Client(respond)).send(request, within: limits)
    }
  }

  @Test func `the client receives the request with the time that is left`() throws {
    let client = Client { _ in
      TransportResponse(status: 404, headers: [(name: "B", value: "c")], body: [1])
    }
    let limits = CallLimits(
      timeout: .seconds(5), cancellation: Cancellation(), time: clock)
    let response = try transport(client).send(request, within: limits)
    #expect(response == HTTPResponse(status: 404, headers: [HTTPHeader("B", "c")], body: [1]))
    let sent = try #require(client.request)
    #expect(sent.method == request.method && sent.url == request.url && sent.body == request.body)
    #expect(sent.headers.map(\.name) == ["A", "User-Agent"])
    #expect(sent.headers.first?.value == "b")
    #expect(sent.timeout == .seconds(5) && sent.cancellation === limits.cancellation)
    _ = try transport(client).send(request, within: .none)
    #expect(client.request?.timeout == .seconds(30))
  }

  @Test func `descriptions do not contain secrets`() {
    let request = TransportRequest(
      method: "POST", url: "https://login.example/?code=the-code",
      headers: [(name: "A", value: "the-header")], body: Array("the-body".utf8),
      timeout: .seconds(1))
    let response = TransportResponse(
      status: 200, headers: [(name: "A", value: "the-header")], body: Array("the-body".utf8))
    var dumped = ""
    dump(request, to: &dumped)
    dump(response, to: &dumped)
    #expect("\(request)" == "TransportRequest(POST login.example)")
    #expect("\(response)" == "TransportResponse(200)")
    #expect(!dumped.contains("the-"))
  }

  @Test(arguments: [true, false])
  func `a failure states the reason, and whether the request was sent`(_ isSent: Bool) throws {
    let error = try error { _ in throw TransportFailure("no route", isSent: isSent) }
    #expect(error.code == .networkFailed && error.isUnsent == !isSent)
    #expect(error.message == "The request to login.example failed: no route.")
  }

  @Test func `errors of the client contain neither secrets nor parameters`() throws {
    let failure = try error { _ in throw TransportFailure("failed: the-refresh-token") }
    #expect(failure.message == "The request to login.example failed: failed: <removed>.")
    let other = try error { request in
      throw ClientError(description: "failed: \(request.url) the-refresh-token")
    }
    #expect(
      other.message
        == "The request to login.example failed: failed: https://login.example/token… <removed>.")
    #expect(!other.isUnsent)
    let own = try error { _ in
      throw TesseraError(.fixRequest, .invalidMember, "the-refresh-token")
    }
    #expect(own.code == .invalidMember && own.message == "<removed>")
  }

  @Test(arguments: [0, 99, 600, .max])
  func `a status that does not exist is rejected`(_ status: Int) throws {
    let error = try error { _ in TransportResponse(status: status) }
    #expect(error.code == .invalidMember)
  }

  @Test func `a request is not sent after the deadline`() throws {
    let limits = CallLimits(timeout: .zero, time: clock)
    let client = Client { _ in TransportResponse(status: 200) }
    let error = try #require(throws: TesseraError.self) {
      try transport(client).send(request, within: limits)
    }
    #expect(error.code == .deadlineExceeded && error.isUnsent)
    #expect(client.request == nil)
  }

  @Test func `a late response counts, and a late failure is that of the deadline`() throws {
    let clock = clock
    let limits = CallLimits(timeout: .seconds(5), time: clock)
    let client = Client { _ in
      clock.advance(by: .seconds(6))
      return TransportResponse(status: 200)
    }
    #expect(try transport(client).send(request, within: limits).status == 200)
    let later = CallLimits(timeout: .seconds(5), time: clock)
    let error = try error(within: later) { _ in
      clock.advance(by: .seconds(6))
      throw TransportFailure("too late", isSent: false)
    }
    #expect(error.code == .deadlineExceeded && error.isUnsent)
  }

  @Test func `settings of libcurl are rejected with a client of the application`() {
    let changes: [(inout ApplicationConfiguration) -> Void] = [
      { $0.proxy = "http://127.0.0.1:9" }, { $0.noProxy = "a" },
      { $0.certificateAuthorityFile = "/etc/ssl/cert.pem" },
    ]
    for change in changes {
      var configuration = ApplicationConfiguration(clientID: "client")
      configuration.host.transport = Client { _ in TransportResponse(status: 200) }
      change(&configuration)
      let error = #expect(throws: TesseraError.self) {
        _ = try PublicClientApplication(configuration)
      }
      #expect(error?.remedy == .fixConfiguration)
    }
  }
}
