// Loading: from wherever the bytes are, and what a person is told when they are not.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { HeadwiseError, loadHeadwise } from 'headwise';
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
  return error.message;
}

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
