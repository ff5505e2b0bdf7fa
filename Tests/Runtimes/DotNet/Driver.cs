// SPDX-License-Identifier: MIT
// The driver of the example in C#; Tests/Runtimes/run describes the commands.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using Tessera;

using Members = System.Collections.Generic.Dictionary<string, object>;

static class Driver
{
    static Application application;
    static CancellationTokenSource interrupted = new CancellationTokenSource();

    static bool Has(JsonElement command, string name) => command.TryGetProperty(name, out _);

    static void Respond(object document) => Console.WriteLine(JsonSerializer.Serialize(document));

    static object Member(JsonElement element, string name) =>
        element.TryGetProperty(name, out var value) ? (object)value : null;

    // Makes a call and returns the members of its result.
    static Members Described(Func<JsonElement> call)
    {
        try
        {
            var result = call();
            var declined = Member(result, "declined_scopes");
            return new Members
            {
                ["status"] = declined == null ? "ok" : "sign_in", ["token"] = Member(result, "access_token"),
                ["source"] = Member(result, "source"), ["declined"] = declined ?? new string[0],
                ["username"] = result.TryGetProperty("account", out var account) ? Member(account, "username") : null,
            };
        }
        catch (TesseraException error)
        {
            if (interrupted.IsCancellationRequested) return new Members { ["interrupted"] = true };
            return new Members
            {
                ["status"] = Member(error.Members, "remedy"), ["code"] = Member(error.Members, "code"),
                ["claims"] = Member(error.Members, "claims"),
            };
        }
        catch (InvalidOperationException thrown)
        {
            return new Members { ["thrown"] = thrown.Message };
        }
    }

    static Members Skipped(string reason) => new Members { ["skipped"] = reason };

    static Members Create(JsonElement command)
    {
        var configuration = command.GetProperty("configuration");
        if (Has(command, "transport") || Has(configuration, "log_level")) return Skipped("the example has no callbacks");
        return Described(() =>
        {
            application = new Application(configuration);
            return JsonDocument.Parse("{}").RootElement;
        });
    }

    static Members Silent(JsonElement command)
    {
        var request = command.GetProperty("request");
        var isAsynchronous = Has(command, "asynchronous");
        return Described(() => isAsynchronous ? application.WaitForSilent(request) : application.Silent(request));
    }

    static Members DeviceCode(JsonElement command)
    {
        using (var source = CancellationTokenSource.CreateLinkedTokenSource(interrupted.Token))
        {
            if (command.TryGetProperty("cancel_after_milliseconds", out var delay)) source.CancelAfter(delay.GetInt32());
            return Described(() => application.DeviceCode(command.GetProperty("request"), prompt =>
            {
                if (command.TryGetProperty("throws", out var text)) throw new InvalidOperationException(text.GetString());
                Respond(new { user_code = prompt.GetProperty("user_code") });
            }, source.Token));
        }
    }

    static Members Accounts() => new Members
    {
        ["status"] = "ok", ["usernames"] = application.Accounts().Select(each => Member(each, "username")).ToArray(),
    };

    static Members Repeat(JsonElement command)
    {
        for (var index = 0; index < 1000; index++) Silent(command);
        var before = Kilobytes();
        Members result = null;
        for (var index = 0; index < command.GetProperty("count").GetInt32(); index++) result = Silent(command);
        result["kilobytes"] = Kilobytes() - before;
        return result;
    }

    static Members Drop(JsonElement command)
    {
        var files = Descriptors();
        var before = Kilobytes();
        Members result = null;
        for (var index = 0; index < command.GetProperty("count").GetInt32(); index++)
        {
            Create(command);
            result = Silent(command);
        }
        application = null;
        result["kilobytes"] = Kilobytes() - before;
        result["descriptors"] = Descriptors() - files;
        return result;
    }

    static Members Threads(JsonElement command)
    {
        var results = new List<Members>();
        var threads = Enumerable.Range(0, 8).Select(_ => new Thread(() =>
        {
            for (var index = 0; index < command.GetProperty("count").GetInt32(); index++)
            {
                var result = Silent(command);
                lock (results) results.Add(result);
            }
        })).ToList();
        threads.ForEach(each => each.Start());
        threads.ForEach(each => each.Join());
        results[0]["tokens"] = results.Select(each => each["token"].ToString()).Distinct().Count();
        return results[0];
    }

    static long Kilobytes()
    {
        for (var round = 0; round < 3; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        return long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1]) * 4;
    }

    static int Descriptors() => Directory.GetFileSystemEntries("/proc/self/fd").Length;

    static Members Perform(JsonElement command)
    {
        switch (command.GetProperty("do").GetString())
        {
            case "create": return Create(command);
            case "silent": return Silent(command);
            case "device_code": return DeviceCode(command);
            case "accounts": return Accounts();
            case "repeat": return Repeat(command);
            case "drop": return Drop(command);
            case "threads": return Threads(command);
            default: return Skipped("the runtime does not fork without exec");
        }
    }

    static void Main()
    {
        Console.CancelKeyPress += (_, arguments) =>
        {
            arguments.Cancel = true;
            interrupted.Cancel();
        };
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            if (interrupted.IsCancellationRequested) interrupted = new CancellationTokenSource();
            using (var command = JsonDocument.Parse(line)) Respond(Perform(command.RootElement));
        }
    }
}
