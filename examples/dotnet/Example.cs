// SPDX-License-Identifier: MIT
// compile: csc Tessera.cs Example.cs -out:example.dll, with the reference assemblies of .NET Core 3.1 or later
// usage: dotnet example.dll CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
using System;
using System.Linq;
using System.Text.Json;
using Tessera;

static class Example
{
    static int Main(string[] arguments)
    {
        var scopes = arguments.Skip(2).ToArray();
        try
        {
            using (var configuration = JsonDocument.Parse(arguments[0]))
            using (var application = new Application(configuration.RootElement))
            {
                Run(application, arguments[1], scopes);
            }
            return 0;
        }
        catch (TesseraException error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }

    static void Run(Application application, string command, string[] scopes)
    {
        switch (command)
        {
            case "sign_in":
                var signedIn = application.DeviceCode(new { scopes }, prompt =>
                {
                    Console.WriteLine($"Open this page:  {prompt.GetProperty("verification_uri")}");
                    Console.WriteLine($"Enter this code: {prompt.GetProperty("user_code")}");
                });
                Console.WriteLine($"{Name(signedIn.GetProperty("account"))}: signed in");
                break;
            case "token":
                var token = application.Silent(new { scopes });
                Console.WriteLine($"{Name(token.GetProperty("account"))}: token from the {token.GetProperty("source")}");
                break;
            case "accounts":
                foreach (var account in application.Accounts()) Console.WriteLine(Name(account));
                break;
            case "sign_out":
                foreach (var account in application.Accounts())
                {
                    application.SignOut(new { home_account_id = account.GetProperty("home_account_id").GetString() });
                    Console.WriteLine($"{Name(account)}: signed out");
                }
                break;
            default:
                throw new ArgumentException($"unknown command {command}");
        }
    }

    static string Name(JsonElement account) => account.GetProperty("username").GetString();
}
