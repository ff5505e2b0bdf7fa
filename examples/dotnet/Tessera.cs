// SPDX-License-Identifier: MIT
// Applications of Tessera with requests that System.Text.Json can serialize, and its elements as results.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Threading;

namespace Tessera
{
    /// <summary>An error; the members are those of "Error" in docs/c-interface.md.</summary>
    public sealed class TesseraException : Exception
    {
        public TesseraException(JsonElement members)
            : base($"{members.GetProperty("remedy")} ({members.GetProperty("code")}): {members.GetProperty("message")}")
        {
            Members = members;
        }

        public JsonElement Members { get; }
    }

    /// <summary>An application. The finalizer frees it, but not during a call.</summary>
    public sealed class Application : SafeHandle
    {
        const string Library = "libtessera.so.1";

        // The approximate memory of an application, of which the garbage collector sees only the handle.
        const long Size = 200_000;

        public Application(object configuration) : base(IntPtr.Zero, true)
        {
            if (tessera_abi_version() != 1) throw new DllNotFoundException("another version of libtessera is installed");
            tessera_application_create(Encoded(configuration), IntPtr.Zero, out var created, out var response);
            SetHandle(created);
            Result(response);
            GC.AddMemoryPressure(Size);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        public JsonElement Silent(object request, CancellationToken token = default) =>
            Call(tessera_application_acquire_token_silent, request, token);

        public JsonElement SignOut(object request, CancellationToken token = default) =>
            Call(tessera_application_sign_out, request, token);

        public IEnumerable<JsonElement> Accounts(CancellationToken token = default) =>
            Call(tessera_application_get_accounts, new { }, token).GetProperty("accounts").EnumerateArray();

        /// <summary>Signs in with a device code. An exception of <paramref name="prompt"/> cancels the call.</summary>
        public JsonElement DeviceCode(object request, Action<JsonElement> prompt, CancellationToken token = default) =>
            Wait(tessera_call_group_acquire_token_by_device_code, request, prompt, token);

        /// <summary>Refreshes a token on a thread of the library.</summary>
        public JsonElement WaitForSilent(object request, CancellationToken token = default) =>
            Wait(tessera_call_group_acquire_token_silent, request, null, token);

        protected override bool ReleaseHandle()
        {
            tessera_application_free(handle);
            GC.RemoveMemoryPressure(Size);
            return true;
        }

        JsonElement Call(Function function, object request, CancellationToken token)
        {
            var cancellation = tessera_cancellation_create();
            try
            {
                using (token.Register(() => tessera_cancellation_cancel(cancellation)))
                {
                    function(this, Encoded(request), cancellation, out var response);
                    return Result(response);
                }
            }
            finally
            {
                tessera_cancellation_free(cancellation);
            }
        }

        // The prompt is an event and not a callback: no exception may leave a callback.
        JsonElement Wait(Start start, object request, Action<JsonElement> prompt, CancellationToken token)
        {
            tessera_call_group_create(out var group, out var response);
            Result(response);
            try
            {
                start(group, this, Encoded(request), IntPtr.Zero, out var call, out response);
                var document = Result(response);
                using (token.Register(() => tessera_call_group_cancel(group, 0)))
                {
                    while (call != 0)
                    {
                        var next = new Event { Size = (UIntPtr)Marshal.SizeOf<Event>() };
                        tessera_call_group_next_event(group, -1, ref next);
                        document = Result(next.Response);
                        if (next.Kind == 1) break;
                        if (next.Kind == 2) prompt(document);
                    }
                }
                return document;
            }
            finally
            {
                tessera_call_group_free(group);
            }
        }

        static byte[] Encoded(object value) => Encoding.UTF8.GetBytes(JsonSerializer.Serialize(value) + "\0");

        // Decodes a response and frees it. Throws the error that it contains.
        static JsonElement Result(IntPtr response)
        {
            if (response == IntPtr.Zero) throw new OutOfMemoryException();
            var text = Marshal.PtrToStringUTF8(response);
            tessera_string_free(response);
            using (var document = JsonDocument.Parse(text))
            {
                var root = document.RootElement.Clone();
                return root.TryGetProperty("error", out var error) ? throw new TesseraException(error) : root;
            }
        }

        [StructLayout(LayoutKind.Sequential)]
        struct Event
        {
            public UIntPtr Size;
            public long Call;
            public int Kind;
            public int Status;
            public IntPtr UserData;
            public IntPtr Response;
        }

        delegate int Function(Application application, byte[] request, IntPtr cancellation, out IntPtr response);

        delegate int Start(
            IntPtr group, Application application, byte[] request, IntPtr userData, out long call, out IntPtr response);

        [DllImport(Library)]
        static extern int tessera_abi_version();

        [DllImport(Library)]
        static extern void tessera_string_free(IntPtr text);

        [DllImport(Library)]
        static extern int tessera_application_create(
            byte[] configuration, IntPtr host, out IntPtr application, out IntPtr response);

        [DllImport(Library)]
        static extern void tessera_application_free(IntPtr application);

        [DllImport(Library)]
        static extern int tessera_application_acquire_token_silent(
            Application application, byte[] request, IntPtr cancellation, out IntPtr response);

        [DllImport(Library)]
        static extern int tessera_application_get_accounts(
            Application application, byte[] request, IntPtr cancellation, out IntPtr response);

        [DllImport(Library)]
        static extern int tessera_application_sign_out(
            Application application, byte[] request, IntPtr cancellation, out IntPtr response);

        [DllImport(Library)]
        static extern IntPtr tessera_cancellation_create();

        [DllImport(Library)]
        static extern void tessera_cancellation_cancel(IntPtr cancellation);

        [DllImport(Library)]
        static extern void tessera_cancellation_free(IntPtr cancellation);

        [DllImport(Library)]
        static extern int tessera_call_group_create(out IntPtr group, out IntPtr response);

        [DllImport(Library)]
        static extern void tessera_call_group_free(IntPtr group);

        [DllImport(Library)]
        static extern void tessera_call_group_cancel(IntPtr group, long call);

        [DllImport(Library)]
        static extern int tessera_call_group_next_event(IntPtr group, long milliseconds, ref Event next);

        [DllImport(Library)]
        static extern int tessera_call_group_acquire_token_silent(
            IntPtr group, Application application, byte[] request, IntPtr userData, out long call, out IntPtr response);

        [DllImport(Library)]
        static extern int tessera_call_group_acquire_token_by_device_code(
            IntPtr group, Application application, byte[] request, IntPtr userData, out long call, out IntPtr response);
    }
}
