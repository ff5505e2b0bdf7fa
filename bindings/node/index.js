// SPDX-License-Identifier: MIT
'use strict';

const path = require('node:path');
const { inspect } = require('node:util');
const documents = require('./documents.js');
const methods = require('./methods.js');

// MARK: - Documents

const PREFIXES = Object.fromEntries(
  Object.entries(documents).map(([name, members]) => [
    name,
    Object.fromEntries(Object.entries(members).map(([member, [key]]) => [member, `"${key}":`])),
  ]),
);
const PLAIN = /^[ !#-[\]-~]*$/;

/** Returns the JSON text of a value, whose kind is a document or ''. */
function write(value, kind) {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (const each of value) text += (text === '[' ? '' : ',') + write(each, kind);
    return `${text}]`;
  }
  if (value instanceof Date) return String(Math.floor(value / 1000));
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (kind in documents && value !== null && typeof value === 'object') return encode(kind, value);
  return JSON.stringify(value) ?? 'null';
}

/** Returns the JSON text of a request. The library rejects unknown members. */
function encode(name, request) {
  const members = documents[name];
  const prefixes = PREFIXES[name];
  let text = '{';
  for (const member in request) {
    const value = request[member];
    if (value === undefined) continue;
    if (text !== '{') text += ',';
    const isKnown = Object.hasOwn(members, member);
    text += isKnown ? prefixes[member] : `${JSON.stringify(member)}:`;
    text += write(value, isKnown ? members[member][1] : '');
  }
  return `${text}}`;
}

/** Whether a request has the values of a copy, in which lists are copied and other objects are not the same. */
function isSame(request, copy) {
  let rest = copy.count;
  for (const member in request) {
    const value = request[member];
    const other = copy.members[member];
    rest -= 1;
    if (value === other) continue;
    if (!Array.isArray(value) || value.length !== other?.length) return false;
    for (let index = 0; index < value.length; index++) if (value[index] !== other[index]) return false;
  }
  return rest === 0;
}

function copyOf(request) {
  const members = JSON.parse(JSON.stringify(request));
  return { members, count: Object.keys(members).length };
}

/** Returns the members that can be shown. */
function shown(result) {
  const found = {};
  for (const member of Object.getOwnPropertyNames(result)) {
    const isSecret = !Object.prototype.propertyIsEnumerable.call(result, member);
    found[member] = isSecret ? '[secret]' : result[member];
  }
  return found;
}

const prototypes = Object.fromEntries(
  Object.keys(documents).map((name) => {
    const Class = { [name]: class {} }[name];
    Object.defineProperty(Class.prototype, inspect.custom, {
      value(_depth, options, show = inspect) {
        return `${name} ${show(shown(this), { ...options, showHidden: false })}`;
      },
    });
    return [name, Class.prototype];
  }),
);

function frozen(value) {
  if (value !== null && typeof value === 'object') Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

function read(value, kind) {
  if (Array.isArray(value)) return Object.freeze(value.map((each) => read(each, kind)));
  return kind in documents && value !== null ? Object.freeze(decode(kind, value)) : frozen(value);
}

/** Returns the object of a result. Secrets are not enumerable, so that nothing shows them. */
function decode(name, document) {
  const object = Object.create(prototypes[name]);
  for (const [member, [key, kind]] of Object.entries(documents[name])) {
    const value = document[key];
    if (value === undefined) continue;
    Object.defineProperty(object, member, {
      enumerable: kind !== 'secret',
      // A Date could be changed.
      ...(kind === 'time' ? { get: () => new Date(value * 1000) } : { value: read(value, kind) }),
    });
  }
  return object;
}

// MARK: - Errors

/** The base class of all errors. Each subclass represents one remedy. */
class TesseraError extends Error {
  constructor(details) {
    const { message, ...members } = details;
    super(message);
    const [, remedy] = ERRORS.find(([Class]) => this instanceof Class) ?? ERRORS[0];
    Object.assign(this, { retryable: false, ...members, remedy });
  }
}
class SignInRequiredError extends TesseraError {}
class RetryLaterError extends TesseraError {}
class InvalidRequestError extends TesseraError {}
class ConfigurationError extends TesseraError {}
class StorageError extends TesseraError {}
class CancelledError extends TesseraError {}
class InternalError extends TesseraError {}

/** The classes and remedies, by status. */
const ERRORS = [
  [InternalError, 'report_bug'],
  [SignInRequiredError, 'sign_in'], [RetryLaterError, 'retry_later'], [InvalidRequestError, 'fix_request'],
  [ConfigurationError, 'fix_configuration'], [StorageError, 'fix_storage'], [CancelledError, 'cancelled'],
];

for (const [Class] of [[TesseraError], ...ERRORS])
  Object.defineProperty(Class.prototype, 'name', { value: Class.name, writable: true, configurable: true });

/** Returns the error of a status. An unknown status is an internal error. */
function errorOf(status, details) {
  const [Class] = ERRORS[status] ?? ERRORS[0];
  return new Class(decode('ErrorDetails', details ?? UNREADABLE));
}
const UNREADABLE = { code: 'internal_error', message: 'The response of the library cannot be read.' };

/** Returns the result of a call, or throws its error. A token that covers only some of the scopes is a result. */
function finished(name, status, text) {
  let document;
  try {
    document = JSON.parse(text ?? 'null');
  } catch {
    throw errorOf(0);
  }
  if (document === null) throw errorOf(0);
  if (status !== 0 && (status !== 1 || document.error)) throw errorOf(status, document.error);
  return name in documents ? Object.freeze(decode(name, document)) : undefined;
}

// MARK: - Library

let native;
// The kinds of items in addon.c; the remaining one is a result.
const PROMPT = 1, LOG = 2, TRANSPORT = 3, ABORT = 4, STORE_KEY = 5;

/** Loads the addon and the library at the first use. */
function load() {
  if (native) return native;
  let message;
  let found;
  try {
    found = require('./build/Release/tessera.node');
    message = found.load(path.join(__dirname, 'lib', 'libtessera.so'), dispatch);
  } catch (error) {
    message = `The addon of the package cannot be loaded: ${error.message.split('\n')[0]}. ` +
      'Install a C compiler, make and Python, and run npm rebuild tessera-identity.';
  }
  if (message) throw errorOf(4, { code: 'library_missing', message });
  native = found;
  return native;
}

/** The calls in progress, by ID. They keep their applications alive. */
const calls = new Map();
/** The controllers of the HTTP requests in progress, by ID. */
const requests = new Map();

/** Reports an exception of a callback. The call continues. */
const warnOf = (name) => (error) =>
  process.emitWarning(`The function ${name} of the host failed: ${inspect(error)}`, 'TesseraWarning');
const warnOfLog = warnOf('log');
const warnOfStoreKey = warnOf('storeKey');

/** Receives everything from the addon. It does not throw. */
function dispatch(kind, target, number, text, exchange) {
  if (kind === LOG) {
    try {
      target?.log(number, text)?.then?.(undefined, warnOfLog);
    } catch (error) {
      warnOfLog(error);
    }
  } else if (kind === TRANSPORT) transport(target, number, text, exchange);
  else if (kind === ABORT) requests.get(number)?.abort();
  else if (kind === STORE_KEY) storeKey(target, exchange);
  else if (kind === PROMPT) calls.get(target)?.prompt(text);
  else calls.get(target)?.finish(number, text);
}

/** Sends one HTTP request by the function of the host. */
async function transport(host, id, text, exchange) {
  const controller = new AbortController();
  requests.set(id, controller);
  let response;
  try {
    const request = Object.freeze(decode('TransportRequest', JSON.parse(text)));
    response = encode('TransportResponse', await host.transport(request, { signal: controller.signal }));
  } catch (error) {
    const message = typeof error?.message === 'string' ? error.message : inspect(error);
    response = encode('TransportResponse', { error: message });
  }
  requests.delete(id);
  native.respond(exchange, response);
}

async function storeKey(host, exchange) {
  try {
    native.respond(exchange, await host.storeKey());
  } catch (error) {
    warnOfStoreKey(error);
    native.respond(exchange);
  }
}

const reasonOf = (signal) => signal.reason ?? new DOMException('This operation was aborted', 'AbortError');

/** Returns the promise of a call, which the function starts: it returns the ID or the outcome. */
function started(start, name, { signal, onPrompt, promptName, keep, atOnce } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw reasonOf(signal);
    const id = start(load());
    if (id === null) throw errorOf(2, { code: 'too_many_threads', message: 'No thread can be started.' });
    if (typeof id !== 'number') {
      const result = finished(name, ...id);
      if (id[0] === 0) atOnce?.(result, id[1]);
      resolve(result);
      return;
    }
    const abort = () => native.cancel(id);
    const origin = {};
    Error.captureStackTrace(origin, started);
    const fail = (error) => {
      calls.delete(id);
      signal?.removeEventListener('abort', abort);
      reject(error);
    };
    signal?.addEventListener('abort', abort);
    calls.set(id, {
      keep,
      prompt(text) {
        if (signal?.aborted) return;
        try {
          const prompted = onPrompt?.(Object.freeze(decode(promptName, JSON.parse(text))));
          // An asynchronous function ends the call in the same way.
          prompted?.then?.(undefined, (error) => calls.has(id) && (native.cancel(id), fail(error)));
        } catch (error) {
          native.cancel(id);
          fail(error);
        }
      },
      finish(status, text) {
        try {
          const result = finished(name, status, text);
          calls.delete(id);
          signal?.removeEventListener('abort', abort);
          resolve(result);
        } catch (error) {
          // The stack is the one of the call.
          error.stack = `${error}${origin.stack.slice(origin.stack.indexOf('\n'))}`;
          fail(signal?.aborted && error instanceof CancelledError ? reasonOf(signal) : error);
        }
      },
    });
  });
}

// MARK: - Applications

/** The maximum number of cached results of an application; then all of them are evicted. */
const LIMIT = 1000;

/** An OAuth 2.0 public client. */
class Application {
  #handle;
  #host;
  #results = new Map();
  #last;

  constructor(configuration, host = {}) {
    const made = load().create(
      encode('Configuration', configuration), host, !!host.log, !!host.storeKey, !!host.transport,
    );
    if (Array.isArray(made)) finished('', ...made);
    this.#handle = made;
    this.#host = host;
  }

  close() {
    this.#results.clear();
    this.#last = undefined;
    native.close(this.#handle);
  }

  acquireTokenSilent(request, options) {
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(reasonOf(signal));
    let text;
    let known = this.#last;
    // A repeated request is compared, because its text would cost more than the call.
    if (!known || !isSame(request, known.copy)) {
      try {
        text = encode('SilentRequest', request);
      } catch (error) {
        return Promise.reject(error);
      }
      known = this.#results.get(text);
    }
    let begun;
    if (known) {
      this.#last = known;
      begun = native.repeat(this.#handle, known.call);
      if (begun === undefined) return known.promise;
      text = known.text;
      this.#results.delete(text);
      this.#last = undefined;
    }
    return started(
      ({ start, START_ACQUIRE_TOKEN_SILENT: number }) => begun ?? start(this.#handle, number, text), 'TokenResult',
      { signal, keep: this, atOnce: (result, response) => this.#cacheResult(text, request, result, response) },
    );
  }

  /** Keeps a result as long as the library returns the same text. */
  #cacheResult(text, request, result, response) {
    const call = native.cacheResult(text, response);
    // The addon is out of memory.
    if (call === undefined) return;
    if (this.#results.size >= LIMIT) this.#results.clear();
    this.#results.set(text, { text, copy: copyOf(request), call, promise: Promise.resolve(result) });
  }

  acquireTokenByDeviceCode(request, options) {
    return this.#start('START_ACQUIRE_TOKEN_BY_DEVICE_CODE', 'DeviceCodeRequest', request, 'TokenResult', {
      ...options, promptName: 'DeviceCodePrompt',
    });
  }

  acquireTokenInteractive(request, options) {
    const given = options?.onPrompt ? request : { showsAddress: false, ...request };
    return this.#start('START_ACQUIRE_TOKEN_INTERACTIVE', 'InteractiveCallRequest', given, 'TokenResult', {
      ...options, promptName: 'SignInPrompt',
    });
  }

  #start(name, requestName, request, result, options) {
    return started(
      ({ start, [name]: number }) => start(this.#handle, number, encode(requestName, request)),
      result, { ...options, keep: this },
    );
  }

  #perform(name, requestName, request, result, options, data, from) {
    return started(
      ({ perform, [name]: number }) =>
        perform(this.#handle, number, encode(requestName, request), data, from?.#handle),
      result, { signal: options?.signal, keep: [this, from] },
    );
  }

  static {
    for (const [method, [form, name, requestName, result]] of Object.entries(methods)) {
      const forms = {
        start(request, options) {
          return this.#start(name, requestName, request, result, options);
        },
        call(request, options) {
          return this.#perform(name, requestName, request, result, options);
        },
        data(request, data, options) {
          return this.#perform(name, requestName, request, result, options, data);
        },
        from(other, request, options) {
          return this.#perform(name, requestName, request, result, options, undefined, other);
        },
      };
      Object.defineProperty(this.prototype, method, { value: forms[form] });
    }
    if (Symbol.dispose) Object.defineProperty(this.prototype, Symbol.dispose, { value: this.prototype.close });
  }
}

// MARK: - Functions

const features = () => finished('LibraryFeatures', ...load().call(native.CALL_FEATURES));

const describeToken = (token) => finished('TokenDescription', ...load().call(native.CALL_DESCRIBE, token));

const findCaches = (request, { signal } = {}) =>
  started(({ perform, CALL_KNOWN_CACHES: number }) => perform(undefined, number, encode('StoreRequest', request)),
    'KnownCaches', { signal });

const handOverUrl = (url, { signal } = {}) =>
  started(({ perform, CALL_HAND_OVER_URL: number }) => perform(undefined, number, url), '', { signal });

module.exports = {
  Application, TesseraError, SignInRequiredError, RetryLaterError, InvalidRequestError, ConfigurationError,
  StorageError, CancelledError, InternalError, features, describeToken, findCaches, handOverUrl,
};
