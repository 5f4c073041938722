// Loading: from wherever the bytes are, and what a person is told when they are not.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { HeadwiseError, loadFailures, loadHeadwise } from 'headwise';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownGolden, wasmBytes, wasmFolder, wasmPath } from './support.mjs';

afterEach(() => vi.unstubAllGlobals());

const locateFile = (file) => `https://lessons.example/folder/${file}`;
const respond = (response) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => response()),
  );
const expectWorks = (headwise) => expect(headwise.attend(ownGolden('02_mha_self_nobias')).output.rows).toBe(5);

async function failure(loading) {
  const error = await loading.then(
    () => expect.fail('loading succeeded'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(HeadwiseError);
  expect(error).toBeInstanceOf(Error);
  expect(error.code).toBe('loadFailed');
  expect(error.message).toMatch(/^[A-Zh].*\.$/s);
  expect(loadFailures).toContain(error.reason);
  return error.message;
}
const reasonOf = (loading) => loading.catch(({ reason }) => reason);

describe('the module is found', () => {
  it('by itself in Node', async () => expectWorks(await loadHeadwise()));
  it('in bytes given as a Uint8Array, also one within a larger buffer', async () => {
    const bytes = wasmBytes();
    expectWorks(await loadHeadwise({ wasmBinary: bytes }));
    const larger = new Uint8Array(bytes.length + 10);
    larger.set(bytes, 7);
    expectWorks(await loadHeadwise({ wasmBinary: larger.subarray(7, 7 + bytes.length) }));
  });
  it('in bytes given as an ArrayBuffer, also from another realm', async () => {
    expectWorks(await loadHeadwise({ wasmBinary: Uint8Array.from(wasmBytes()).buffer }));
    const foreign = vm.runInNewContext('new ArrayBuffer(size)', { size: wasmBytes().length });
    new Uint8Array(foreign).set(wasmBytes());
    expectWorks(await loadHeadwise({ wasmBinary: foreign }));
  });
  it('at the address that locateFile gives', async () => {
    respond(() => new Response(wasmBytes(), { headers: { 'content-type': 'application/wasm' } }));
    expectWorks(await loadHeadwise({ locateFile }));
    expect(fetch.mock.calls).toEqual([['https://lessons.example/folder/headwise-module.wasm']]);
  });
  it.each(['text/plain', 'application/octet-stream', 'text/html'])('under the wrong MIME type %s', async (type) => {
    respond(() => new Response(wasmBytes(), { headers: { 'content-type': type } }));
    expectWorks(await loadHeadwise({ locateFile }));
  });
  it('at an address given as a URL object', async () => {
    expectWorks(await loadHeadwise({ locateFile: () => pathToFileURL(wasmPath) }));
  });
});

describe('a failure is told in plain words', () => {
  it('when the file is missing', async () => {
    respond(() => new Response('<h1>Not found</h1>', { status: 404 }));
    expect(await failure(loadHeadwise({ locateFile }))).toMatch(
      /was not found: https:\/\/lessons\.example\/folder\/headwise-module\.wasm answers 404.*Reload/s,
    );
  });
  it('when a web page comes in its place', async () => {
    respond(() => new Response('\n<!doctype html><title>Lessons</title>', { status: 200 }));
    expect(await failure(loadHeadwise({ locateFile }))).toContain('A web page came in place of headwise-module.wasm');
  });
  it('when something else comes in its place', async () => {
    respond(() => new Response('{"error": "no"}'));
    expect(await failure(loadHeadwise({ locateFile }))).toContain('is not WebAssembly');
  });
  it('when nothing comes', async () => {
    respond(() => new Response(''));
    expect(await failure(loadHeadwise({ locateFile }))).toContain('arrived empty');
  });
  it.each([3, 8, 1000, -1])('when it is cut off after %d bytes', async (length) => {
    respond(() => new Response(wasmBytes().subarray(0, length)));
    expect(await failure(loadHeadwise({ locateFile }))).toMatch(
      length === 3 ? /is not WebAssembly/ : length === 8 ? /is of another build/ : /damaged or cut off/,
    );
  });
  it('when the connection is down', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(loadHeadwise({ locateFile }))).toContain('could not be fetched. Check the connection');
  });
  it('when the connection breaks off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
    respond(() => new Response(body));
    expect(await failure(loadHeadwise({ locateFile }))).toContain('broke off. Check the connection');
  });
  it('when the file is not on the disk', async () => {
    expect(await failure(loadHeadwise({ locateFile: () => 'file:///nowhere/headwise-module.wasm' }))).toContain(
      'cannot be read from file:///nowhere/headwise-module.wasm. Build the module first',
    );
  });
  it('when a page was opened as a file', async () => {
    const { getBuiltinModule } = process;
    process.getBuiltinModule = undefined;
    try {
      expect(await failure(loadHeadwise())).toContain('The page was opened as a file');
    } finally {
      process.getBuiltinModule = getBuiltinModule;
    }
  });
  it('when the bytes are those of another module', async () => {
    const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
    expect(await failure(loadHeadwise({ wasmBinary: empty }))).toContain('is of another build');
  });

  it('and may be tried again', async () => {
    const answers = [() => new Response('', { status: 503 }), () => new Response(wasmBytes())];
    respond(() => answers.shift()());
    await failure(loadHeadwise({ locateFile }));
    expectWorks(await loadHeadwise({ locateFile }));
  });

  it('with the cause kept for developers', async () => {
    const cause = new TypeError('Failed to fetch');
    vi.stubGlobal('fetch', () => Promise.reject(cause));
    await expect(loadHeadwise({ locateFile })).rejects.toHaveProperty('cause', cause);
  });

  it('without a word on the console', async () => {
    const spies = ['log', 'warn', 'error'].map((name) => vi.spyOn(console, name));
    await failure(loadHeadwise({ wasmBinary: wasmBytes().subarray(0, 500) }));
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe('the reason of a failure is told to programs', () => {
  const page = '<!doctype html><title>Lessons</title>';
  it.each([
    ['missing', () => respond(() => new Response(page, { status: 404 }))],
    ['missing', () => respond(() => new Response('', { status: 410 }))],
    ['server', () => respond(() => new Response('', { status: 500 }))],
    ['server', () => respond(() => new Response('', { status: 503 }))],
    ['server', () => respond(() => new Response('', { status: 403 }))],
    ['notWasm', () => respond(() => new Response(page))],
    ['notWasm', () => respond(() => new Response('{}'))],
    ['damaged', () => respond(() => new Response(''))],
    ['damaged', () => respond(() => new Response(wasmBytes().subarray(0, 5000)))],
    ['foreign', () => respond(() => new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)))],
    ['network', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))],
  ])('%s', async (reason, stub) => {
    stub();
    expect(await reasonOf(loadHeadwise({ locateFile }))).toBe(reason);
  });

  it('an answer of 500 is not "not found"', async () => {
    respond(() => new Response('', { status: 500 }));
    const message = await failure(loadHeadwise({ locateFile }));
    expect(message).toContain('answers 500');
    expect(message).not.toContain('not found');
  });

  // The words of three engines, as they were seen.
  it.each([
    [
      'Chromium',
      WebAssembly.CompileError,
      "WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source of script",
    ],
    ['Firefox', WebAssembly.CompileError, 'WebAssembly.compile: call to WebAssembly.compile() blocked by CSP'],
    [
      'WebKit',
      EvalError,
      "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script in the following Content Security Policy directive",
    ],
  ])('policy, as %s says it', async (_, Kind, text) => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new Kind(text));
    try {
      expect(await failure(loadHeadwise())).toContain("its script-src needs 'wasm-unsafe-eval'");
      expect(await reasonOf(loadHeadwise())).toBe('policy');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('unsupported, where WebAssembly is switched off', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await failure(loadHeadwise())).toContain('it is switched off, as in Lockdown Mode');
    expect(await reasonOf(loadHeadwise())).toBe('unsupported');
  });

  it('unsupported, where it does not know what the module uses', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    try {
      expect(await failure(loadHeadwise())).toContain('too old');
      expect(await reasonOf(loadHeadwise())).toBe('unsupported');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('start, where there is no memory to start in', async () => {
    vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(
      new RangeError('WebAssembly.Memory(): could not allocate memory'),
    );
    try {
      expect(await failure(loadHeadwise())).toContain(
        'does not start (WebAssembly.Memory(): could not allocate memory)',
      );
      expect(await reasonOf(loadHeadwise())).toBe('start');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('foreign, where the module wants other imports', async () => {
    vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(
      new WebAssembly.LinkError('import object field "z" is not a Function'),
    );
    try {
      expect(await reasonOf(loadHeadwise())).toBe('foreign');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('network, in a frame without an origin, with what would help', async () => {
    vi.stubGlobal('origin', 'null');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(loadHeadwise({ locateFile }))).toContain('sandboxed: it needs allow-same-origin');
  });
});

function transferred() {
  const bytes = new ArrayBuffer(8);
  structuredClone(bytes, { transfer: [bytes] });
  return bytes;
}

describe('options that are refused', () => {
  it.each([
    ['a typo', { wasmbinary: new Uint8Array(1) }, 'invalidOption', 'did you mean wasmBinary?'],
    [
      'text for bytes',
      { wasmBinary: 'headwise-module.wasm' },
      'invalidArgument',
      'options.wasmBinary must be an ArrayBuffer or a Uint8Array',
    ],
    [
      'an address for a function',
      { locateFile: '/assets/' },
      'invalidArgument',
      'options.locateFile must be a function, but is the text "/assets/"',
    ],
    ['text', 'headwise-module.wasm', 'invalidArgument', 'options must be an object'],
    ['no bytes', { wasmBinary: new Uint8Array(0) }, 'invalidArgument', 'options.wasmBinary is empty'],
    ['bytes that were transferred away', { wasmBinary: transferred() }, 'invalidArgument', 'or was transferred'],
  ])('%s', async (_, options, code, text) => {
    const error = await loadHeadwise(options).catch((reason) => reason);
    expect(error).toBeInstanceOf(HeadwiseError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) });
  });
});

it('runs where making code from text is forbidden', () => {
  const script = `
    import { loadHeadwise } from ${JSON.stringify(pathToFileURL(`${wasmFolder}headwise.mjs`).href)};
    let forbidden = false;
    try { new Function('return 1')(); } catch { forbidden = true; }
    const headwise = await loadHeadwise();
    const layer = headwise.randomCase({ dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1 });
    console.log(forbidden, headwise.attend(layer).output.rows);`;
  const output = execFileSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect(output.trim()).toBe('true 2');
});
