// SPDX-License-Identifier: MIT
//! Applications of Tessera with values of std.json as requests and results.
const std = @import("std");
const Allocator = std.mem.Allocator;
const Value = std.json.Value;

const Handle = opaque {};
const Group = opaque {};
const Response = ?[*:0]u8;
const Event = extern struct {
    size: usize = @sizeOf(Event),
    call: i64 = 0,
    kind: enum(i32) { none, result, prompt, _ } = .none,
    status: i32 = 0,
    user_data: ?*anyopaque = null,
    response: Response = null,
};
const Call = fn (*Handle, ?[*:0]const u8, ?*anyopaque, *Response) callconv(.c) i32;
const Start = fn (*Group, *Handle, [*:0]const u8, ?*anyopaque, *i64, *Response) callconv(.c) i32;

extern fn tessera_abi_version() i32;
extern fn tessera_string_free(Response) void;
extern fn tessera_application_create([*:0]const u8, ?*const anyopaque, *?*Handle, *Response) i32;
extern fn tessera_application_free(?*Handle) void;
extern fn tessera_application_acquire_token_silent(*Handle, ?[*:0]const u8, ?*anyopaque, *Response) i32;
extern fn tessera_application_get_accounts(*Handle, ?[*:0]const u8, ?*anyopaque, *Response) i32;
extern fn tessera_application_sign_out(*Handle, ?[*:0]const u8, ?*anyopaque, *Response) i32;
extern fn tessera_call_group_create(*?*Group, *Response) i32;
extern fn tessera_call_group_free(?*Group) void;
extern fn tessera_call_group_cancel(*Group, i64) void;
extern fn tessera_call_group_next_event(*Group, i64, *Event) i32;
extern fn tessera_call_group_acquire_token_silent(*Group, *Handle, [*:0]const u8, ?*anyopaque, *i64, *Response) i32;
extern fn tessera_call_group_acquire_token_by_device_code(
    *Group,
    *Handle,
    [*:0]const u8,
    ?*anyopaque,
    *i64,
    *Response,
) i32;

/// Returns a member of an object.
pub fn member(object: Value, name: []const u8) ?Value {
    return if (object == .object) object.object.get(name) else null;
}

/// Returns the text of a member, or an empty text.
pub fn text(object: Value, name: []const u8) []const u8 {
    const found = member(object, name) orelse return "";
    return if (found == .string) found.string else "";
}

/// An application. Results are stored in the arena of each call.
pub const Application = struct {
    handle: *Handle,

    /// Creates an application. After `error.Tessera`, `problem` has the members of "Error" in docs/c-interface.md.
    pub fn open(arena: Allocator, configuration: anytype, problem: *Value) !Application {
        if (tessera_abi_version() != 1) return error.OtherVersion;
        var handle: ?*Handle = null;
        var response: Response = null;
        _ = tessera_application_create(try encoded(arena, configuration), null, &handle, &response);
        _ = try result(arena, response, problem);
        return .{ .handle = handle.? };
    }

    pub fn close(application: Application) void {
        tessera_application_free(application.handle);
    }

    pub fn silent(application: Application, arena: Allocator, request: anytype, problem: *Value) !Value {
        return application.call(tessera_application_acquire_token_silent, arena, request, problem);
    }

    pub fn signOut(application: Application, arena: Allocator, request: anytype, problem: *Value) !Value {
        return application.call(tessera_application_sign_out, arena, request, problem);
    }

    pub fn accounts(application: Application, arena: Allocator, problem: *Value) ![]Value {
        const found = try application.call(tessera_application_get_accounts, arena, @as(struct {}, .{}), problem);
        return found.object.get("accounts").?.array.items;
    }

    fn call(
        application: Application,
        function: *const Call,
        arena: Allocator,
        request: anytype,
        problem: *Value,
    ) !Value {
        var response: Response = null;
        _ = function(application.handle, try encoded(arena, request), null, &response);
        return result(arena, response, problem);
    }

    pub fn deviceCode(
        application: Application,
        arena: Allocator,
        request: anytype,
        watcher: anytype,
        problem: *Value,
    ) !Value {
        return application.wait(tessera_call_group_acquire_token_by_device_code, arena, request, watcher, problem);
    }

    pub fn waitForSilent(
        application: Application,
        arena: Allocator,
        request: anytype,
        watcher: anytype,
        problem: *Value,
    ) !Value {
        return application.wait(tessera_call_group_acquire_token_silent, arena, request, watcher, problem);
    }

    /// Performs a call on a thread of the library. `watcher.prompt` receives a device code. `watcher.isCancelled`,
    /// called every 100 ms, returns whether to cancel the call. An error in them cancels it too.
    fn wait(
        application: Application,
        start: *const Start,
        arena: Allocator,
        request: anytype,
        watcher: anytype,
        problem: *Value,
    ) !Value {
        var group: ?*Group = null;
        var response: Response = null;
        var number: i64 = 0;
        _ = tessera_call_group_create(&group, &response);
        _ = try result(arena, response, problem);
        defer tessera_call_group_free(group);
        _ = start(group.?, application.handle, try encoded(arena, request), null, &number, &response);
        const document = try result(arena, response, problem);
        if (number == 0) return document;
        while (true) {
            var event: Event = .{};
            _ = tessera_call_group_next_event(group.?, 100, &event);
            const next = try result(arena, event.response, problem);
            if (event.kind == .result) return next;
            if (event.kind == .prompt) try watcher.prompt(next);
            if (try watcher.isCancelled()) tessera_call_group_cancel(group.?, 0);
        }
    }
};

fn encoded(arena: Allocator, value: anytype) ![:0]u8 {
    return arena.dupeSentinel(u8, try std.json.Stringify.valueAlloc(arena, value, .{}), 0);
}

/// Decodes a response and frees it.
fn result(arena: Allocator, response: Response, problem: *Value) !Value {
    const pointer = response orelse return error.OutOfMemory;
    defer tessera_string_free(response);
    const copy = try arena.dupe(u8, std.mem.span(pointer));
    const document = try std.json.parseFromSliceLeaky(Value, arena, copy, .{});
    problem.* = member(document, "error") orelse return document;
    return error.Tessera;
}
