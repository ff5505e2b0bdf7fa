# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "fileutils"
require "minitest/autorun"
require "open3"
require "rbconfig"
require "tessera"
require "timeout"
require "tmpdir"

# Applications whose transport is a lambda.
class ApplicationTest < Minitest::Test
  def setup
    @folder = Dir.mktmpdir
  end

  def teardown
    FileUtils.remove_entry(@folder)
  end

  def application(**members)
    store = { directory: @folder, key_sources: ["key_file"] }
    Tessera::Application.new(client_id: "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10", store: store, **members)
  end

  def sign_in(application) = application.acquire_token_by_device_code(scopes: ["User.Read"]) { flunk }

  # The transport of the returned application waits until the test ends.
  def waiting(**members)
    entered = Queue.new
    stopped = Queue.new
    transport = lambda do |_request|
      entered << true
      stopped.pop
      { status: 503 }
    end
    [application(transport: transport, **members), entered, stopped]
  end

  def test_a_transport_gets_requests
    requests = Queue.new
    given = application(transport: ->(request) { requests << request and { status: 503 } })
    error = assert_raises(Tessera::RetryLaterError) { sign_in(given) }
    assert_equal "server_unavailable", error.code
    assert_match(%r{\Ahttps://}, requests.pop.url)
  end

  def test_an_exception_of_a_transport_is_a_failure
    given = application(transport: ->(_) { raise IOError, "unplugged" })
    error = assert_raises(Tessera::RetryLaterError) { sign_in(given) }
    assert_equal "network_failed", error.code
  end

  def test_an_exception_of_a_key_source_is_a_failure
    entry = { client_id: "x", environment: "login.microsoftonline.com", family_id: "1" }
    after = JSON.generate(AppMetadata: { "appmetadata-login.microsoftonline.com-x": entry })
    given = application(store_key: -> { raise IOError, "unplugged" })
    error = assert_raises(Tessera::StorageError) { given.write_cache(before: "{}", after: after) }
    assert_equal "key_unavailable", error.code
    keyed = application(store_key: -> { Random.bytes(32) })
    assert_equal 1, keyed.write_cache(before: "{}", after: after).stored
  end

  def test_an_exception_of_a_log_is_ignored
    given = application(log: ->(_, _) { raise IOError, "unplugged" }, log_level: 4)
    assert_raises(Tessera::SignInRequiredError) { given.acquire_token_silent(scopes: ["User.Read"]) }
  end

  def test_a_timeout_ends_a_call
    given, entered, stopped = waiting
    assert_raises(Timeout::Error) { Timeout.timeout(0.2) { sign_in(given) } }
    refute_empty entered
    error = assert_raises(Tessera::CancelledError) do
      given.acquire_token_by_device_code(scopes: ["User.Read"], timeout: 0.2) { flunk }
    end
    assert_equal "deadline_exceeded", error.code
    2.times { stopped << true }
  end

  def test_an_exception_for_a_thread_ends_a_call
    given, entered, stopped = waiting
    thread = Thread.new { sign_in(given) }
    thread.report_on_exception = false
    entered.pop
    thread.raise(KeyError, "enough")
    assert_raises(KeyError) { thread.value }
    killed = Thread.new { sign_in(given) }
    entered.pop
    killed.kill
    assert_nil killed.value
    2.times { stopped << true }
  end

  def test_fibers_of_async_run_during_a_call
    require "async"
    given, entered, stopped = waiting
    order = []
    Async do |task|
      call = task.async do
        sign_in(given)
      rescue Tessera::RetryLaterError
        order << :call
      end
      task.async do
        sleep 0.01 while entered.empty?
        order << :other
        stopped << true
      end
      call.wait
    end
    assert_equal %i[other call], order
  rescue LoadError
    skip "the gem async is not installed"
  end

  def test_a_closed_application_refuses_calls
    given, entered, stopped = waiting
    call = Thread.new { sign_in(given) }
    call.report_on_exception = false
    entered.pop
    given.close
    given.close
    assert_raises(IOError) { given.accounts }
    assert_raises(IOError) { given.acquire_token_silent(scopes: ["User.Read"]) }
    error = assert_raises(Tessera::Error) { call.value }
    assert_equal "network_failed", error.code
    stopped << true
  end

  def test_an_unused_application_is_collected
    unused = Queue.new
    100.times do
      given = application(log: ->(_, _) {})
      ObjectSpace.define_finalizer(given, self.class.counter(unused))
    end
    20.times { GC.start unless unused.size > 90 }
    assert_operator unused.size, :>, 90
  end

  def self.counter(queue) = ->(_) { queue << true }

  def test_an_application_is_closed_after_a_block
    kept = nil
    assert_equal 1, Tessera::Application.open(client_id: "x") { |each| (kept = each) && 1 }
    assert_raises(IOError) { kept.accounts }
    assert_equal "#<Tessera::Application>", kept.inspect
  end

  def test_a_request_is_checked
    error = assert_raises(Tessera::InvalidRequestError) { application(clientid: "x") }
    assert_equal "unknown_member", error.code
    assert_raises(ArgumentError) { application.accounts("alice") }
    assert_raises(ArgumentError) { application.acquire_token_by_device_code(scopes: ["User.Read"]) }
  end

  def test_another_ractor_cannot_use_the_library
    ractor = Ractor.new do
      Thread.current.report_on_exception = false
      Tessera::Native.call(Tessera::Native::CALL_FEATURES, "")
    end
    error = assert_raises(Ractor::RemoteError) { ractor.take }
    assert_instance_of Ractor::UnsafeError, error.cause
  end

  def test_the_library_has_functions_without_an_application
    assert_includes Tessera.features.features, "broker"
    assert_kind_of Tessera::TokenDescription, Tessera.describe_token("opaque")
    assert_kind_of Array, Tessera.find_caches.caches
  end

  def test_the_library_may_be_beside_the_extension
    extension = $LOADED_FEATURES.find { |each| each.end_with?("/tessera/native.so") }
    folder = File.join(@folder, "tessera")
    Dir.mkdir(folder)
    FileUtils.cp(extension, folder)
    File.symlink(ENV.fetch("TESSERA_LIBRARY"), File.join(folder, "libtessera.so.#{Tessera::Native::ABI_VERSION}"))
    options = [@folder, *$LOAD_PATH].map { |each| "-I#{each}" }
    program = 'require "tessera"; puts Tessera.features.features'
    environment = { "TESSERA_LIBRARY" => nil, "LD_LIBRARY_PATH" => nil }
    output, status = Open3.capture2e(environment, RbConfig.ruby, *options, "-e", program)
    assert_predicate status, :success?, output
  end

  def test_the_version_is_that_of_the_header
    header = File.read(File.join(__dir__, "../ext/tessera/tessera.h"))
    assert_includes header, "#define TESSERA_VERSION \"#{Tessera::VERSION}\""
  end

  def test_a_missing_library_is_reported
    program = 'require "tessera"; begin; Tessera.features; rescue Tessera::ConfigurationError => e; puts e.message; end'
    { "/missing.so" => "make install", "missing.so" => "absolute path" }.each do |path, expected|
      options = $LOAD_PATH.map { |each| "-I#{each}" }
      output, = Open3.capture2e({ "TESSERA_LIBRARY" => path }, RbConfig.ruby, *options, "-e", program)
      assert_match(/#{expected}.*\(library_missing\)/, output)
    end
  end
end
