// From the address of the .wasm, or its bytes, to a running module. Everything that can go wrong here meets people who did nothing
// wrong, so every message says in plain words what happened and what to try.
import createModule from '../dist/headwise-module.mjs';
import { checkKeys, checkObject, describe } from './checks.mjs';
import { HeadwiseError, refuse } from './errors.mjs';

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
  const bytes =
    wasmBinary === undefined || wasmBinary === null ? await fetchBytes(locate(locateFile)) : given(wasmBinary);
  return start(await compile(bytes));
}

function given(bytes) {
  if (bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes) || bytes?.[Symbol.toStringTag] === 'ArrayBuffer')
    return bytes;
  return refuse(
    'invalidArgument',
    `options.wasmBinary must be an ArrayBuffer or a Uint8Array, but is ${describe(bytes)}.`,
  );
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
    throw failed(
      `The computing part of this page (${address}) could not be fetched. Check the connection, then reload the page.`,
      cause,
    );
  }
  if (!response.ok)
    throw failed(
      `The computing part of this page was not found: ${address} answers ${response.status}. ` +
        `Reload the page; if that does not help, the file ${fileName} is missing on the server.`,
    );
  try {
    // Bytes, not streaming: that would insist on the MIME type application/wasm, which not every server sends.
    return await response.arrayBuffer();
  } catch (cause) {
    throw failed(
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
      'The page was opened as a file, and a browser does not let a file fetch another. Open it through a web server, or, in Node, pass the bytes of ' +
        `${fileName} as wasmBinary.`,
    );
  try {
    return await files.readFile(new URL(address));
  } catch (cause) {
    throw failed(
      `The module cannot be read from ${address}. Build the module first, or pass its bytes as wasmBinary.`,
      cause,
    );
  }
}

async function compile(bytes) {
  const head = new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, Math.min(bytes.byteLength, 64));
  if (head.length === 0)
    throw failed(`${fileName} arrived empty. Reload the page; if that does not help, the file on the server is empty.`);
  if (!['\0', 'a', 's', 'm'].every((letter, i) => head[i] === letter.charCodeAt(0)))
    throw failed(
      new TextDecoder().decode(head).trimStart().startsWith('<')
        ? `A web page came in place of ${fileName}: the server answers with a page where the file should be. Check the folder the page was copied to.`
        : `What came as ${fileName} is not WebAssembly. Reload the page; if that does not help, copy the file to the server again, as binary.`,
    );
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw failed(
      `${fileName} is damaged or cut off, or this browser is too old for it (${cause.message}). Reload the page; if that does not help, update the browser.`,
      cause,
    );
  }
}

async function start(compiled) {
  return new Promise((resolve, reject) => {
    const fail = (cause) =>
      reject(
        failed(
          `${fileName} was fetched but does not start (${cause?.message ?? cause}). Reload the page; if that does not help, update the browser.`,
          cause,
        ),
      );
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
    }).then(resolve, fail);
  });
}

function failed(message, cause) {
  return new HeadwiseError('loadFailed', message, cause === undefined ? undefined : { cause });
}
