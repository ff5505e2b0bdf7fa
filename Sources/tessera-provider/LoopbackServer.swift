// SPDX-License-Identifier: MIT
// An HTTP server on 127.0.0.1 in front of a local provider.

import FlyingFox
import FlyingSocks
import Glibc
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Serves a local provider on the loopback interface, and nowhere else.
struct LoopbackServer {
  private let server: HTTPServer

  /// A server that does not listen yet; port 0 takes a free one.
  init(port: UInt16) throws {
    server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), logger: .disabled)
  }

  /// Listens and tells under which origin; requests are answered once ``serve(_:)`` was called.
  func start() async throws -> String {
    let server = server
    let waiting = Task { try await server.waitUntilListening() }
    let running = Task {
      defer { waiting.cancel() }
      try await server.run()
    }
    do {
      try await waiting.value
    } catch {
      running.cancel()
      // The server knows better than the waiting why it does not listen.
      try await running.value
      throw error
    }
    guard case .ip4(let address, let port)? = await server.listeningAddress else {
      throw SocketError.unsupportedAddress
    }
    return "http://\(address):\(port)"
  }

  /// Answers requests from now on.
  func serve(_ provider: LocalProvider) async {
    await server.appendRoute("*") { request in
      FlyingFox.HTTPResponse(provider.handle(try await TesseraTesting.HTTPRequest(request)))
    }
  }

  /// Lets go of the port and of everybody connected.
  func stop() async {
    await server.stop(timeout: 1)
  }
}

extension TesseraTesting.HTTPRequest {
  /// The request as the provider takes it.
  fileprivate init(_ request: FlyingFox.HTTPRequest) async throws {
    var body: [UInt8] = []
    for try await part in request.bodySequence {
      body.append(contentsOf: part)
      // What is too large is refused for its size; the rest need not be kept for that.
      if body.count > LocalProvider.bodyLimit { break }
    }
    self.init(
      method: request.method.rawValue, url: request.target.rawValue,
      headers: request.headers.map { HTTPHeader($0.key.rawValue, $0.value) }, body: body)
  }
}

extension FlyingFox.HTTPResponse {
  /// The provider's response as the server sends it.
  fileprivate init(_ response: TesseraTesting.HTTPResponse) {
    var headers = HTTPHeaders()
    for header in response.headers {
      headers.addValue(header.value, for: FlyingFox.HTTPHeader(header.name))
    }
    // RFC 9112 section 4: the phrase behind the status may be empty, clients ignore it.
    self.init(
      statusCode: HTTPStatusCode(response.status, phrase: ""),
      headers: headers, body: Data(response.body))
  }
}
