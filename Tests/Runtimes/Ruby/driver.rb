# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# The driver of the Ruby binding; Tests/Runtimes/run describes the commands.
require "json"
require "tessera"
require "timeout"
require_relative "scheduler"

# An application and the commands.
class Driver
  def initialize
    @lines = []
  end

  def perform(command) = send(command.fetch("do"), command)

  private

  def create(command)
    @configuration = command["configuration"]
    members = @configuration.transform_keys(&:to_sym)
    members[:store] = members[:store].transform_keys(&:to_sym)
    transport = Transport.new(command["transport"]) if command.key?("transport")
    described do
      @application = Tessera::Application.new(**members, log: log_to(@lines, command["throws"]), transport: transport)
      nil
    end
  end

  def log_to(lines, thrown)
    lambda do |_level, message|
      raise KeyError, thrown if thrown

      lines << message
    end
  end

  def silent(command)
    return asynchronous(command) if command["asynchronous"]

    described { @application.acquire_token_silent(**request(command)) }
  end

  # Makes calls in fibers on one thread; the scheduler counts the ones that wait at the same time.
  def asynchronous(command)
    count = command.dig("request", "force_refresh") ? 1 : 200
    results = []
    ticks = 0
    Thread.new do
      scheduler = Scheduler.new
      Fiber.set_scheduler(scheduler)
      count.times { Fiber.schedule { results << described { @application.acquire_token_silent(**request(command)) } } }
      Fiber.schedule do
        while results.size < count
          sleep 0.001
          ticks += 1
        end
      end
    end.join
    return { "status" => "no other fiber ran" } if results[0]["source"] == "network" && ticks.zero?

    results.uniq.size == 1 ? results[0] : { "status" => "the fibers have different results" }
  end

  def device_code(command)
    seconds = command["cancel_after_milliseconds"]
    described do
      Timeout.timeout(seconds && (seconds / 1000.0)) do
        @application.acquire_token_by_device_code(**request(command)) do |prompt|
          raise KeyError, command["throws"] if command["throws"]

          respond("user_code" => prompt.user_code)
        end
      end
    end
  rescue Timeout::Error
    { "status" => "cancelled", "code" => "cancelled" }
  end

  def asynchronous_device_code(command)
    Thread.new do
      Fiber.set_scheduler(Scheduler.new)
      result = nil
      Fiber.schedule { result = device_code(command) }
      Fiber.scheduler.run
      result
    end.value
  end

  def device_code_on_a_thread(command)
    thread = Thread.new { device_code(command) }
    thread.join
    thread.value
  rescue Interrupt => e
    thread.raise(e)
    thread.value
  end

  def accounts(_command)
    { "status" => "ok", "usernames" => @application.accounts.map(&:username) }
  end

  def log(_command) = { "status" => "ok", "lines" => @lines }

  def repeat(command)
    1000.times { silent(command) }
    GC.start
    before = kilobytes
    command["count"].times { silent(command) }
    result = silent(command)
    GC.start
    { **result, "kilobytes" => kilobytes - before }
  end

  def threads(command)
    results = Array.new(8) { Thread.new { Array.new(command["count"]) { silent(command) } } }.flat_map(&:value)
    { **results[0], "tokens" => results.map { |each| each["token"] }.uniq.size }
  end

  # Makes calls while the garbage collector runs and frees other applications.
  def collect(command)
    tokens = Queue.new
    threads = Array.new(4) do
      Thread.new do
        command["count"].times do
          create(command)
          tokens << silent(command)["token"]
        end
      end
    end
    GC.start while threads.any?(&:alive?)
    result = silent(command)
    { **result, "tokens" => Array.new(tokens.size) { tokens.pop }.uniq.size }
  end

  # The first round has the peak of the memory, which the allocator keeps. A part of the calls runs with a collection at
  # every opportunity.
  def drop(command)
    before = nil
    result = nil
    2.times do
      before = [descriptors, kilobytes]
      command["count"].times do |index|
        GC.stress = index % 100 == 99
        create(command)
        result = silent(command)
        GC.stress = false
      end
      @application = nil
      # The stack may still have the last one.
      GC.start
    end
    { **result, "descriptors" => descriptors - before[0], "kilobytes" => kilobytes - before[1] }
  end

  def fork(command)
    reader, writer = IO.pipe
    child = Process.fork do
      reader.close
      writer.write(JSON.generate(in_child(command)))
      writer.close
      exit!(0)
    end
    writer.close
    text = reader.read
    Process.wait(child)
    JSON.parse(text.empty? ? '{"status":"crashed"}' : text)
  end

  # Uses the application of the parent process, and an own one.
  def in_child(command)
    inherited = silent(command)
    own = create("configuration" => @configuration)
    own = silent("request" => { "scopes" => command.dig("request", "scopes") }) if own["status"] == "ok"
    own["token"] == inherited["token"] ? inherited : own
  end

  def request(command)
    members = command["request"].transform_keys(&:to_sym)
    milliseconds = members.delete(:timeout_milliseconds)
    members[:timeout] = milliseconds / 1000.0 if milliseconds
    members
  end

  def described
    token = yield
    return { "status" => "ok" } if token.nil?

    {
      "status" => token.declined_scopes.empty? ? "ok" : "sign_in", "token" => token.access_token,
      "source" => token.source, "username" => token.account.username, "declined" => token.declined_scopes
    }
  rescue Tessera::Error => e
    { "status" => e.remedy, "code" => e.code, "claims" => e.claims }
  rescue KeyError => e
    { "thrown" => e.message }
  rescue Interrupt
    { "interrupted" => true }
  end

  def kilobytes = File.read("/proc/self/statm").split[1].to_i * 4

  def descriptors = Dir.children("/proc/self/fd").size

  def respond(document)
    puts JSON.generate(document)
    $stdout.flush
  end

  public :respond

  # Responds to requests without sending them.
  class Transport
    def initialize(response)
      @response = response.transform_keys(&:to_sym)
    end

    def call(_request)
      raise KeyError, @response[:throws] if @response[:throws]

      @response
    end
  end
end

driver = Driver.new
$stdin.each_line { |line| driver.respond(driver.perform(JSON.parse(line))) }
