# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# The Ruby contestant: acquires tokens through the binding, and reads each token. Or the floor: calls an empty function
# that is written in C.
#
# usage: contestant.rb ruby|ruby-call CLIENT AUTHORITY DIRECTORY GROUP REQUESTS
require "json"
require "tessera"

# Measures calls. A subclass makes one.
class Contestant
  def warm(count) = time { count.times { |index| acquire(index) } }

  # The median of batches of a quarter of a millisecond, in nanoseconds for each call.
  def hit(distinct, seconds)
    times = []
    size = 1
    position = 0
    finish = now + (seconds * 1_000_000_000)
    while now < finish || times.empty?
      spent = time { position = batch(size, position, distinct) }
      next size *= 2 if spent < 250_000

      times << spent.fdiv(size)
    end
    times.sort[times.size / 2]
  end

  private

  def batch(size, position, distinct)
    index = 0
    while index < size
      acquire(position)
      position += 1
      position = 0 if position == distinct
      index += 1
    end
    position
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)

  def time
    start = now
    yield
    now - start
  end
end

class TesseraBinding < Contestant
  def initialize(client, authority, directory, group, requests)
    super()
    @application = Tessera::Application.new(
      client_id: client, authority: authority, store: { directory: directory, group: group }
    )
    @requests = File.foreach(requests).map { |line| Tessera::SilentRequest.new(**JSON.parse(line, symbolize_names: true)) }
  end

  def acquire(index)
    abort "an empty token" if @application.acquire_token_silent(@requests[index]).access_token.empty?
  end
end

class EmptyCall < Contestant
  def acquire(index) = index.itself
end

kind, *options = ARGV
contestant = kind == "ruby" ? TesseraBinding.new(*options) : EmptyCall.new
$stdout.sync = true
puts "ready"
$stdin.each_line do |line|
  name, count, seconds = line.split
  puts name == "warm" ? contestant.warm(Integer(count)) : contestant.hit(Integer(count), Float(seconds))
end
