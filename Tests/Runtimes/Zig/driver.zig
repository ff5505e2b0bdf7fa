// SPDX-License-Identifier: MIT
//! The driver of the example in Zig; Tests/Runtimes/run describes the commands.
const std = @import("std");
const tessera = @import("tessera");
const Allocator = std.mem.Allocator;
const Value = std.json.Value;

const is_interrupted = struct {
    var flag: std.atomic.Value(bool) = .init(false);

    fn set(_: std.posix.SIG) callconv(.c) void {
        flag.store(true, .seq_cst);
    }
};

var application: ?tessera.Application = null;
var output: *std.Io.Writer = undefined;
var io: std.Io = undefined;

/// The members of a result.
const Result = struct {
    status: []const u8 = "ok",
    skipped: ?[]const u8 = null,
    code: ?[]const u8 = null,
    claims: ?[]const u8 = null,
    token: ?[]const u8 = null,
    source: ?[]const u8 = null,
    username: ?[]const u8 = null,
    declined: ?Value = null,
    thrown: ?[]const u8 = null,
    interrupted: ?bool = null,
    usernames: ?[]const []const u8 = null,
    tokens: ?usize = null,
    kilobytes: ?i64 = null,
    descriptors: ?i64 = null,
};

const Watcher = struct {
    pauses: *i64,
    thrown: ?[]const u8 = null,

    pub fn prompt(watcher: Watcher, code: Value) !void {
        if (watcher.thrown != null) return error.Thrown;
        try respond(.{ .user_code = tessera.text(code, "user_code") });
    }

    pub fn isCancelled(watcher: Watcher) !bool {
        if (is_interrupted.flag.load(.seq_cst)) return error.Interrupted;
        watcher.pauses.* -= 1;
        return watcher.pauses.* <= 0;
    }
};

fn respond(document: anytype) !void {
    try std.json.Stringify.value(document, .{ .emit_null_optional_fields = false }, output);
    try output.writeByte('\n');
    try output.flush();
}

fn has(command: Value, name: []const u8) bool {
    return tessera.member(command, name) != null;
}

fn number(command: Value, name: []const u8) i64 {
    return (tessera.member(command, name) orelse Value{ .integer = 0 }).integer;
}

/// Returns the members of a result or of an error.
fn described(outcome: anyerror!Value, problem: Value, thrown: ?[]const u8) !Result {
    const token = outcome catch |failure| switch (failure) {
        error.Tessera => return .{
            .status = tessera.text(problem, "remedy"),
            .code = tessera.text(problem, "code"),
            .claims = tessera.text(problem, "claims"),
        },
        error.Thrown => return .{ .thrown = thrown },
        error.Interrupted => return .{ .interrupted = true },
        else => return failure,
    };
    const declined = tessera.member(token, "declined_scopes");
    return .{
        .status = if (declined == null) "ok" else "sign_in",
        .token = tessera.text(token, "access_token"),
        .source = tessera.text(token, "source"),
        .username = tessera.text(tessera.member(token, "account") orelse .null, "username"),
        .declined = declined,
    };
}

fn create(arena: Allocator, command: Value) !Result {
    const configuration = tessera.member(command, "configuration").?;
    if (has(command, "transport") or has(configuration, "log_level")) {
        return .{ .skipped = "the example has no callbacks" };
    }
    var problem: Value = .null;
    if (application) |used| used.close();
    application = null;
    application = tessera.Application.open(arena, configuration, &problem) catch |failure| {
        return described(failure, problem, null);
    };
    return .{};
}

fn silent(arena: Allocator, command: Value) !Result {
    var problem: Value = .null;
    var pauses: i64 = std.math.maxInt(i64);
    const request = tessera.member(command, "request").?;
    const outcome = if (has(command, "asynchronous"))
        application.?.waitForSilent(arena, request, Watcher{ .pauses = &pauses }, &problem)
    else
        application.?.silent(arena, request, &problem);
    return described(outcome, problem, null);
}

fn deviceCode(arena: Allocator, command: Value) !Result {
    var problem: Value = .null;
    const delay = number(command, "cancel_after_milliseconds");
    var pauses: i64 = if (delay > 0) @divTrunc(delay, 100) else std.math.maxInt(i64);
    const thrown: ?[]const u8 = if (has(command, "throws")) tessera.text(command, "throws") else null;
    const watcher: Watcher = .{ .pauses = &pauses, .thrown = thrown };
    const outcome = application.?.deviceCode(arena, tessera.member(command, "request").?, watcher, &problem);
    return described(outcome, problem, thrown);
}

fn accounts(arena: Allocator) !Result {
    var problem: Value = .null;
    const found = try application.?.accounts(arena, &problem);
    const names = try arena.alloc([]const u8, found.len);
    for (found, names) |account, *name| name.* = tessera.text(account, "username");
    return .{ .usernames = names };
}

/// Repeats a call in the same memory.
fn repeatedly(command: Value, count: i64) !void {
    var memory: std.heap.ArenaAllocator = .init(std.heap.c_allocator);
    defer memory.deinit();
    var index: i64 = 0;
    while (index < count) : (index += 1) {
        _ = try silent(memory.allocator(), command);
        _ = memory.reset(.retain_capacity);
    }
}

fn repeat(arena: Allocator, command: Value) !Result {
    try repeatedly(command, 1000);
    const before = try kilobytes();
    try repeatedly(command, number(command, "count"));
    var result = try silent(arena, command);
    result.kilobytes = try kilobytes() - before;
    return result;
}

fn work(command: Value, tokens: *[64]u8, failed: *std.atomic.Value(bool)) void {
    var memory: std.heap.ArenaAllocator = .init(std.heap.c_allocator);
    defer memory.deinit();
    var index: i64 = 0;
    while (index < number(command, "count")) : (index += 1) {
        const result = silent(memory.allocator(), command) catch Result{};
        const token = result.token orelse "";
        if (token.len == 0) failed.store(true, .seq_cst);
        var digest: [64]u8 = undefined;
        std.crypto.hash.sha2.Sha512.hash(token, &digest, .{});
        if (index > 0 and !std.mem.eql(u8, &digest, tokens)) failed.store(true, .seq_cst);
        tokens.* = digest;
        _ = memory.reset(.retain_capacity);
    }
}

fn threads(arena: Allocator, command: Value) !Result {
    var failed: std.atomic.Value(bool) = .init(false);
    var tokens: [8][64]u8 = undefined;
    var handles: [8]std.Thread = undefined;
    for (&handles, &tokens) |*handle, *token| handle.* = try std.Thread.spawn(.{}, work, .{ command, token, &failed });
    for (handles) |handle| handle.join();
    var result = try silent(arena, command);
    result.tokens = if (failed.load(.seq_cst)) 0 else 1;
    for (tokens[1..]) |token| {
        if (!std.mem.eql(u8, &token, &tokens[0])) result.tokens = 2;
    }
    return result;
}

fn kilobytes() !i64 {
    var buffer: [256]u8 = undefined;
    const contents = try std.Io.Dir.cwd().readFile(io, "/proc/self/statm", &buffer);
    var words = std.mem.tokenizeScalar(u8, contents, ' ');
    _ = words.next();
    return try std.fmt.parseInt(i64, words.next().?, 10) * 4;
}

fn perform(arena: Allocator, command: Value) !Result {
    const name = tessera.text(command, "do");
    if (std.mem.eql(u8, name, "create")) return create(arena, command);
    if (std.mem.eql(u8, name, "silent")) return silent(arena, command);
    if (std.mem.eql(u8, name, "device_code")) return deviceCode(arena, command);
    if (std.mem.eql(u8, name, "accounts")) return accounts(arena);
    if (std.mem.eql(u8, name, "repeat")) return repeat(arena, command);
    if (std.mem.eql(u8, name, "threads")) return threads(arena, command);
    if (std.mem.eql(u8, name, "fork")) return .{ .skipped = "the standard library does not fork without exec" };
    return .{ .skipped = "the language has no garbage collector" };
}

pub fn main(init: std.process.Init) !void {
    io = init.io;
    var action: std.posix.Sigaction = .{
        .handler = .{ .handler = is_interrupted.set },
        .mask = std.posix.sigemptyset(),
        .flags = 0,
    };
    std.posix.sigaction(.INT, &action, null);
    var out_buffer: [4096]u8 = undefined;
    var writer: std.Io.File.Writer = .initStreaming(.stdout(), io, &out_buffer);
    output = &writer.interface;
    var in_buffer: [65536]u8 = undefined;
    var reader: std.Io.File.Reader = .initStreaming(.stdin(), io, &in_buffer);
    while (try reader.interface.takeDelimiter('\n')) |line| {
        var memory: std.heap.ArenaAllocator = .init(std.heap.c_allocator);
        defer memory.deinit();
        const arena = memory.allocator();
        const command = try std.json.parseFromSliceLeaky(Value, arena, try arena.dupe(u8, line), .{});
        const result = try perform(arena, command);
        if (result.skipped) |reason| try respond(.{ .skipped = reason }) else try respond(result);
    }
    if (application) |used| used.close();
}
