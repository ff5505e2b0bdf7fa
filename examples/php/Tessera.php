<?php
// SPDX-License-Identifier: MIT
// Applications of Tessera with arrays as requests and results.
declare(strict_types=1);

namespace Tessera;

use FFI;

/** An error; `$members` are those of "Error" in docs/c-interface.md. */
final class Error extends \RuntimeException
{
    public function __construct(public readonly array $members)
    {
        parent::__construct("$members[remedy] ($members[code]): $members[message]");
    }
}

final class Application
{
    private FFI $library;
    private ?FFI\CData $handle = null;

    public function __construct(#[\SensitiveParameter] array $configuration)
    {
        $this->library = self::library();
        $created = $this->library->new('tessera_application *');
        $response = $this->library->new('char *');
        $this->library->tessera_application_create(
            json_encode($configuration), null, FFI::addr($created), FFI::addr($response));
        self::result($this->taken($response));
        $this->handle = $created;
    }

    public function __destruct()
    {
        $this->library->tessera_application_free($this->handle);
    }

    private function __clone()
    {
    }

    public function accounts(): array
    {
        return $this->call('get_accounts', null)['accounts'];
    }

    public function silent(array $request): array
    {
        return $this->call('acquire_token_silent', $request);
    }

    public function signOut(array $request): array
    {
        return $this->call('sign_out', $request);
    }

    public function deviceCode(array $request, callable $prompt, ?callable $isCancelled = null): array
    {
        return $this->wait('acquire_token_by_device_code', $request, $prompt, $isCancelled);
    }

    /**
     * Performs a call on a thread of the library. `$prompt` receives a device code. `$isCancelled`, called every
     * 100 ms, returns whether to cancel the call. An exception in them, or in a signal handler, cancels it too.
     */
    public function wait(string $name, array $request, ?callable $prompt = null, ?callable $isCancelled = null): array
    {
        $group = $this->library->new('tessera_call_group *');
        $call = $this->library->new('int64_t');
        $response = $this->library->new('char *');
        $this->library->tessera_call_group_create(FFI::addr($group), FFI::addr($response));
        self::result($this->taken($response));
        try {
            $this->library->{"tessera_call_group_$name"}(
                $group, $this->handle, json_encode($request), null, FFI::addr($call), FFI::addr($response));
            $document = $this->taken($response);
            while ($call->cdata !== 0) {
                $event = $this->library->new('tessera_event');
                $event->size = FFI::sizeof($event);
                $this->library->tessera_call_group_next_event($group, 100, FFI::addr($event));
                $document = $this->taken($event->response);
                if ($event->kind === 1) {
                    break;
                } elseif ($event->kind === 2) {
                    $prompt($document);
                }
                if ($isCancelled !== null && $isCancelled()) {
                    $this->library->tessera_call_group_cancel($group, 0);
                }
            }
            return self::result($document);
        } finally {
            $this->library->tessera_call_group_free($group);
        }
    }

    private function call(string $name, ?array $request): array
    {
        $response = $this->library->new('char *');
        $text = $request === null ? null : json_encode($request);
        $this->library->{"tessera_application_$name"}($this->handle, $text, null, FFI::addr($response));
        return self::result($this->taken($response));
    }

    /** Decodes a response and frees it. */
    private function taken(?FFI\CData $response): array
    {
        if ($response === null || FFI::isNull($response)) {
            throw new \RuntimeException('out of memory');
        }
        $text = FFI::string($response);
        $this->library->tessera_string_free($response);
        return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    }

    /** Returns a result, or throws its error. */
    private static function result(array $document): array
    {
        return isset($document['error']) ? throw new Error($document['error']) : $document;
    }

    /**
     * Returns the functions of the library. A web server allows them only with `ffi.preload=/path/functions.h` and with
     * `opcache.preload=/path/Tessera.php`.
     */
    private static function library(): FFI
    {
        static $library = null;
        if ($library === null) {
            try {
                $library = FFI::scope('tessera');
            } catch (FFI\Exception) {
                $declarations = preg_replace('/^#.*/m', '', file_get_contents(__DIR__ . '/functions.h'));
                $library = FFI::cdef($declarations, getenv('TESSERA_LIBRARY') ?: 'libtessera.so.1');
            }
            if ($library->tessera_abi_version() !== 1) {
                throw new \RuntimeException('another version of libtessera is installed');
            }
        }
        return $library;
    }
}
