// From the address of the .wasm, or its bytes, to a running module. Everything that can go wrong here meets people who did nothing
// wrong, so every message says in plain words what happened and what to try, and `reason` says it to programs.
import createModule from '../dist/headwise-module.mjs';
import { checkKeys, checkObject } from './checks.mjs';
import { HeadwiseError, refuse } from './errors.mjs';
import { describe } from './words.mjs';

const fileName = 'headwise-module.wasm';

/**
 * @param {{ wasmBinary?: ArrayBuffer | Uint8Array, locateFile?: (file: string) => string }} [options]
 * @returns {Promise<object>} the Emscripten module
 */
export async function loadModule(options = {}) {
  checkObject('options', options, 'an object: { wasmBinary, locateFile }');
  checkKeys('options', options, ['wasmBinary', 'locateFile']);
  const { wasmBinary, locateFile } = options;
  if (locateFile !== undefined && typeof locateFile !== 'function')
    refuse('invalidArgument', `options.locateFile must be a function, but is ${describe(locateFile)}.`);
  checkSupport();
  const bytes =
    wasmBinary === undefined || wasmBinary === null ? await fetchBytes(locate(locateFile)) : given(wasmBinary);
  return start(await compile(bytes));
}

// A function with WebAssembly's exceptions in it, which the module uses.
const smallestWithExceptions = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11],
);

function checkSupport() {
  if (typeof globalThis.WebAssembly?.compile !== 'function')
    throw failed(
      'unsupported',
      'There is no WebAssembly here, which does the computing: it is switched off, as in Lockdown Mode, or this browser is too old for it. Allow it for this site, or use another browser.',
    );
  if (!WebAssembly.validate(smallestWithExceptions))
    throw failed(
      'unsupported',
      'This browser is too old for the computing part of this page (it does not know WebAssembly’s exceptions). Update the browser, or use another.',
    );
}

function given(bytes) {
  if (!(bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes) || bytes?.[Symbol.toStringTag] === 'ArrayBuffer'))
    refuse('invalidArgument', `options.wasmBinary must be an ArrayBuffer or a Uint8Array, but is ${describe(bytes)}.`);
  if (bytes.byteLength === 0)
    refuse('invalidArgument', 'options.wasmBinary is empty, or was transferred to somewhere else.');
  return bytes;
}

// Written out in this form, bundlers recognise the address and carry the file along.
function locate(locateFile) {
  return locateFile === undefined
    ? new URL('../dist/headwise-module.wasm', import.meta.url).href
    : String(locateFile(fileName));
}

async function fetchBytes(address) {
  if (address.startsWith('file:')) return readFile(address);
  let response;
  try {
    response = await fetch(address);
  } catch (cause) {
    // A frame without an origin of its own may fetch nothing.
    const why =
      globalThis.origin === 'null'
        ? 'This frame is sandboxed: it needs allow-same-origin, or open the page on its own.'
        : 'Check the connection, then reload the page.';
    throw failed('network', `The computing part of this page (${address}) could not be fetched. ${why}`, cause);
  }
  if (response.status === 404 || response.status === 410)
    throw failed(
      'missing',
      `The computing part of this page was not found: ${address} answers ${response.status}. ` +
        `Reload the page; if that does not help, the file ${fileName} is missing on the server.`,
    );
  if (!response.ok)
    throw failed(
      'server',
      `The server did not give out the computing part of this page: ${address} answers ${response.status}. ` +
        `Reload the page in a while; if that does not help, its keeper has to know.`,
    );
  try {
    // Bytes, not streaming: that would insist on the MIME type application/wasm, which not every server sends.
    return await response.arrayBuffer();
  } catch (cause) {
    throw failed(
      'network',
      `Fetching the computing part of this page (${address}) broke off. Check the connection, then reload the page.`,
      cause,
    );
  }
}

async function readFile(address) {
  // Not an import: bundlers for the browser would stumble over it.
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (!files)
    throw failed(
      'network',
      'The page was opened as a file, and a browser does not let a file fetch another. Open it through a web server, or, in Node, pass the bytes of ' +
        `${fileName} as wasmBinary.`,
    );
  try {
    return await files.readFile(new URL(address));
  } catch (cause) {
    throw failed(
      'missing',
      `The module cannot be read from ${address}. Build the module first, or pass its bytes as wasmBinary.`,
      cause,
    );
  }
}

async function compile(bytes) {
  const head = new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, Math.min(bytes.byteLength, 64));
  if (head.length === 0)
    throw failed(
      'damaged',
      `${fileName} arrived empty. Reload the page; if that does not help, the file on the server is empty.`,
    );
  if (!['\0', 'a', 's', 'm'].every((letter, i) => head[i] === letter.charCodeAt(0)))
    throw failed(
      'notWasm',
      new TextDecoder().decode(head).trimStart().startsWith('<')
        ? `A web page came in place of ${fileName}: the server answers with a page where the file should be. Check the folder the page was copied to.`
        : `What came as ${fileName} is not WebAssembly. Reload the page; if that does not help, copy the file to the server again, as binary.`,
    );
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    if (isForbidden(cause)) throw policyFailure(cause);
    throw failed(
      'damaged',
      `${fileName} is damaged or cut off (${cause.message}). Reload the page; if that does not help, copy the file to the server again.`,
      cause,
    );
  }
}

// The words of Chromium, Firefox and WebKit for it.
const isForbidden = ({ name, message }) =>
  name === 'EvalError' || /content security policy|\bCSP\b|unsafe-eval/i.test(message);

function policyFailure(cause) {
  return failed(
    'policy',
    "This site's policy does not allow WebAssembly, which does the computing: its script-src needs 'wasm-unsafe-eval'. Only the site's keeper can change that.",
    cause,
  );
}

async function start(compiled) {
  return new Promise((resolve, reject) => {
    const fail = (cause) => reject(startFailure(cause));
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports)
          .then((instance) => receive(instance, compiled))
          .catch(fail);
        return {}; // "not yet": Emscripten waits for receive
      },
      // Faults arrive as errors; the console of a page is its own.
      print() {},
      printErr() {},
    }).then((module) => (typeof module.lists === 'function' ? resolve(module) : fail(new TypeError('no lists'))), fail);
  });
}

function startFailure(cause) {
  if (isForbidden(cause ?? {})) return policyFailure(cause);
  // The names that the two files agree on are made by the build: those of another fit nowhere.
  if (cause instanceof TypeError || cause instanceof WebAssembly.LinkError)
    return failed(
      'foreign',
      `${fileName} is of another build than the JavaScript beside it (${cause.message}). Reload the page without its cache; if that does not help, copy both files of one build to the server.`,
      cause,
    );
  return failed(
    'start',
    `${fileName} was fetched but does not start (${cause?.message ?? cause}). Reload the page; if that does not help, close other pages or update the browser.`,
    cause,
  );
}

function failed(reason, message, cause) {
  return new HeadwiseError('loadFailed', message, cause === undefined ? { reason } : { reason, cause });
}
