// SPDX-License-Identifier: MIT
// Async sign-ins, with a real listener and the pages of the local provider.

import Foundation
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct AwaitedSignInTests {
  private let machine = LocalMachine(
    origin: "http://127.0.0.1:8400",
    clock: VirtualClock(startingAt: SystemTime().now), store: MemoryStore(time: SystemTime()))

  /// Creates an application that listens on the loopback interface and opens no browser.
  private func application() throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    var dependencies = machine.dependencies
    dependencies.time = SystemTime()
    dependencies.browser = SystemBrowser(time: SystemTime(), facts: { EnvironmentFacts() })
    return try PublicClientApplication(configuration, in: dependencies)
  }

  /// Starts a sign-in in a task, and returns it with its prompts.
  private func begin(
    _ application: PublicClientApplication
  ) -> (Task<TokenResult, any Error>, AsyncStream<SignInPrompt>) {
    let (prompts, continuation) = AsyncStream.makeStream(of: SignInPrompt.self)
    let task = Task {
      defer { continuation.finish() }
      return try await application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"])) {
        continuation.yield($0)
      }
    }
    return (task, prompts)
  }

  private func first(_ prompts: AsyncStream<SignInPrompt>) async throws -> SignInPrompt {
    for await prompt in prompts { return prompt }
    throw TesseraError(.reportBug, .internalError, "No result was received.")
  }

  private func port(_ prompt: SignInPrompt) throws -> UInt16 {
    try #require(URLComponents(string: prompt.redirectURI)?.port.flatMap(UInt16.init(exactly:)))
  }

  /// Signs the user in and follows the redirect, like a browser.
  private func visit(_ prompt: SignInPrompt) throws {
    let port = try port(prompt)
    guard case .address(let address) = machine.browser.visit(prompt.url) else {
      Issue.record("no answer")
      return
    }
    let query = try #require(URLComponents(string: address.reveal())?.percentEncodedQuery)
    #expect(LocalClient.get(port, "/?\(query)").hasPrefix("HTTP/1.1 303 "))
    #expect(LocalClient.get(port, "/signed-in").contains("You have signed in"))
  }

  private func code(_ task: Task<TokenResult, any Error>) async -> TesseraError.Code? {
    let error = await #expect(throws: TesseraError.self) { try await task.value }
    return error?.code
  }

  @Test func `an async sign-in returns the tokens after the redirect`() async throws {
    let (task, prompts) = begin(try application())
    try visit(await first(prompts))
    let result = try await task.value
    #expect(result.account.username == LocalUser.alice.username)
    #expect(result.browserReason == "no_display")
  }

  @Test func `cancelling the task closes the listener, so that the next sign-in can start`()
    async throws
  {
    let application = try application()
    for _ in 0..<5 {
      let (task, prompts) = begin(application)
      let port = try port(await first(prompts))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let (next, told) = begin(application)
      let other = try self.port(await first(told))
      // The next sign-in waits until the previous listener is closed.
      #expect(LocalClient(port: port) == nil || port == other)
      next.cancel()
      await #expect(throws: CancellationError.self) { try await next.value }
      #expect(eventually { LocalClient(port: other) == nil })
    }
    let (task, prompts) = begin(application)
    try visit(await first(prompts))
    #expect(try await task.value.source == .network)
  }

  @Test func `a second sign-in of the same application fails with interaction_in_progress`()
    async throws
  {
    let application = try application()
    let (signIn, prompts) = begin(application)
    let prompt = try await first(prompts)
    #expect(await code(begin(application).0) == .interactionInProgress)
    try visit(prompt)
    #expect(try await signIn.value.source == .network)
  }

  @Test func `a task that is already cancelled sends no request`() async throws {
    let application = try application()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) {
        try await application.beginSignIn(SignInRequest(scopes: ["read"]))
      }
      return try await application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(machine.provider.requestLog.isEmpty)
  }

  @Test func `async methods begin and complete a host-driven sign-in`() async throws {
    let begun = try await application().beginSignIn(SignInRequest(scopes: ["read"]))
    let answer = try #require(machine.browser.visit(begun.url))
    let completion = RedirectResponse(state: begun.state, response: answer)
    let result = try await application().completeSignIn(completion)
    #expect(result.account.username == LocalUser.alice.username)
    let again = await #expect(throws: TesseraError.self) {
      try await application().completeSignIn(completion)
    }
    #expect(again?.code == .signInUsed)
  }
}
