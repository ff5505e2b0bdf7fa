// SPDX-License-Identifier: MIT
// An HTTP server on 127.0.0.1 for a local provider.

import FlyingFox
import FlyingSocks
import Glibc
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Serves a local provider on the loopback interface only.
struct LoopbackServer {
  private let server: HTTPServer

  /// Creates a server that does not listen yet.
  ///
  /// Port 0 selects a free port.
  init(port: UInt16) throws {
    server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), logger: .disabled)
  }

  /// Starts listening and returns the origin.
  ///
  /// The server has no provider until ``serve(_:)`` is called.
  func start() async throws -> String {
    let server = server
    let startup = Task { try await server.waitUntilListening() }
    let running = Task {
      defer { startup.cancel() }
      try await server.run()
    }
    do {
      try await startup.value
    } catch {
      running.cancel()
      // Throw the error of the server, which states the cause, instead of the error of the wait.
      try await running.value
      throw error
    }
    guard case .ip4(let address, let port)? = await server.listeningAddress else {
      throw SocketError.unsupportedAddress
    }
    return "http://\(address):\(port)"
  }

  /// Passes requests to a provider from now on.
  func serve(_ provider: LocalProvider) async {
    await server.appendRoute("*") { request in
      FlyingFox.HTTPResponse(provider.handle(try await LocalProvider.Request(request)))
    }
  }

  /// Closes the port and all connections.
  func stop() async {
    await server.stop(timeout: 1)
  }
}

extension LocalProvider.Request {
  /// Converts a request for the provider.
  fileprivate init(_ request: FlyingFox.HTTPRequest) async throws {
    var body: [UInt8] = []
    for try await part in request.bodySequence {
      body.append(contentsOf: part)
      // The provider rejects a larger body by its size alone, so the rest is not read.
      if body.count > LocalProvider.bodyLimit { break }
    }
    self.init(
      method: request.method.rawValue, url: request.target.rawValue,
      headers: request.headers.map { LocalProvider.Header($0.key.rawValue, $0.value) }, body: body)
  }
}

extension FlyingFox.HTTPResponse {
  /// Converts a response of the provider for the server.
  fileprivate init(_ response: LocalProvider.Response) {
    var headers = HTTPHeaders()
    for header in response.headers {
      headers.addValue(header.value, for: FlyingFox.HTTPHeader(header.name))
    }
    // RFC 9112 section 4: the reason phrase may be empty, and clients ignore it.
    self.init(
      statusCode: HTTPStatusCode(response.status, phrase: ""),
      headers: headers, body: Data(response.body))
  }
}
