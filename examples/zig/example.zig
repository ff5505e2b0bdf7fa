// SPDX-License-Identifier: MIT
//! install: Zig 0.17, such as by pip install ziglang
//! compile: zig build-exe example.zig -lc -ltessera
//! usage: example CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
const std = @import("std");
const tessera = @import("tessera.zig");
const text = tessera.text;

const Watcher = struct {
    output: *std.Io.Writer,

    pub fn prompt(watcher: Watcher, code: std.json.Value) !void {
        try watcher.output.print("Open this page:  {s}\n", .{text(code, "verification_uri")});
        try watcher.output.print("Enter this code: {s}\n", .{text(code, "user_code")});
        try watcher.output.flush();
    }

    pub fn isCancelled(_: Watcher) !bool {
        return false;
    }
};

const Command = enum { sign_in, token, accounts, sign_out };

fn run(
    arena: std.mem.Allocator,
    arguments: []const [:0]const u8,
    output: *std.Io.Writer,
    problem: *std.json.Value,
) !void {
    if (arguments.len < 3) return error.Usage;
    const command = std.meta.stringToEnum(Command, arguments[2]) orelse return error.Usage;
    const configuration = try std.json.parseFromSliceLeaky(std.json.Value, arena, arguments[1], .{});
    const application = try tessera.Application.open(arena, configuration, problem);
    defer application.close();
    const scopes = arguments[3..];
    switch (command) {
        .sign_in => {
            const watcher: Watcher = .{ .output = output };
            const token = try application.deviceCode(arena, .{ .scopes = scopes }, watcher, problem);
            try output.print("{s}: signed in\n", .{text(token.object.get("account").?, "username")});
        },
        .token => {
            const token = try application.silent(arena, .{ .scopes = scopes }, problem);
            const name = text(token.object.get("account").?, "username");
            try output.print("{s}: token from the {s}\n", .{ name, text(token, "source") });
        },
        .accounts => for (try application.accounts(arena, problem)) |account| {
            try output.print("{s}\n", .{text(account, "username")});
        },
        .sign_out => for (try application.accounts(arena, problem)) |account| {
            _ = try application.signOut(arena, .{ .home_account_id = text(account, "home_account_id") }, problem);
            try output.print("{s}: signed out\n", .{text(account, "username")});
        },
    }
    try output.flush();
}

pub fn main(init: std.process.Init) !void {
    const arena = init.arena.allocator();
    var buffer: [1024]u8 = undefined;
    var output: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    var problem: std.json.Value = .null;
    run(arena, try init.minimal.args.toSlice(arena), &output.interface, &problem) catch |failure| {
        if (failure != error.Tessera) return failure;
        const parts = .{ text(problem, "remedy"), text(problem, "code"), text(problem, "message") };
        std.debug.print("{s} ({s}): {s}\n", parts);
        std.process.exit(1);
    };
}
