// The declared types take every documented call and refuse what is none: documented-calls.ts is compiled, as a project would.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadHeadwise } from 'headwise';

const file = fileURLToPath(new URL('documented-calls.ts', import.meta.url));
const compile = (options) =>
  ts.createProgram([file], {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
    ...options,
  });
const messagesOf = (program) =>
  ts.getPreEmitDiagnostics(program).map(({ file: at, start, messageText }) => {
    const line = at ? at.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${at?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });

describe('headwise.d.ts', () => {
  it('takes every documented call, in Node', () => expect(messagesOf(compile({}))).toEqual([]));
  it('and for a page built by a bundler, without the newest library', () => {
    const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
    expect(messagesOf(compile({ ...bundler, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] }))).toEqual([]);
  });
});

describe('documented-calls.ts', () => {
  const called = new Set();
  beforeAll(() => {
    const visit = (node) => {
      if (ts.isPropertyAccessExpression(node)) called.add(node.name.text);
      ts.forEachChild(node, visit);
    };
    visit(compile({}).getSourceFile(file));
  });
  it('uses every member of the engine, of a layer and of a trainer', async () => {
    const headwise = await loadHeadwise();
    const layer = headwise.openLayer({ kind: 'sdpa', inputs: { X: [[1]] } });
    const trainer = headwise.createTrainer({ headCount: 1, headSize: 1, seed: 1, batchSize: 1, heldOutSize: 1 });
    for (const name of [headwise, layer, trainer].flatMap(Object.keys)) expect([...called], name).toContain(name);
  });
});
