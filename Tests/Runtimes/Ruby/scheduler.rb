# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# A small scheduler of fibers on one thread, with IO.select.
class Scheduler
  def initialize
    @readable = {}
    @writable = {}
    @waking = {}
    @blocked = {}
    @lock = Mutex.new
    @ready = []
    @wakeup, @waker = IO.pipe
  end

  def fiber(&block)
    Fiber.new(blocking: false, &block).tap(&:resume)
  end

  def io_wait(io, events, timeout)
    fiber = Fiber.current
    @readable[fiber] = io if events.anybits?(IO::READABLE)
    @writable[fiber] = io if events.anybits?(IO::WRITABLE)
    @waking[fiber] = now + timeout if timeout
    Fiber.yield
    events
  ensure
    [@readable, @writable, @waking].each { |each| each.delete(fiber) }
  end

  def kernel_sleep(duration = nil)
    block(:sleep, duration)
  end

  def block(_blocker, timeout = nil)
    fiber = Fiber.current
    @waking[fiber] = now + timeout if timeout
    @blocked[fiber] = true
    Fiber.yield
  ensure
    @waking.delete(fiber)
    @blocked.delete(fiber)
  end

  def unblock(_blocker, fiber)
    @lock.synchronize { @ready << fiber }
    @waker.write_nonblock(".")
  end

  def close
    run
  end

  def run
    until [@readable, @writable, @waking, @blocked].all?(&:empty?)
      pause = @waking.empty? ? nil : [@waking.values.min - now, 0].max
      readable, writable = IO.select([@wakeup, *@readable.values], @writable.values, [], pause)
      @wakeup.read_nonblock(1000) if readable&.include?(@wakeup)
      resumed = @lock.synchronize { @ready.slice!(0..) }
      resumed += @readable.select { |_, io| readable&.include?(io) }.keys
      resumed += @writable.select { |_, io| writable&.include?(io) }.keys
      resumed += @waking.select { |_, time| time <= now }.keys
      resumed.uniq.each { |fiber| fiber.resume if fiber.alive? }
    end
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
