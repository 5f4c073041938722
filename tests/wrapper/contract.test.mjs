// The hand-written headwise.d.ts, the wrapper's own lists and the module's lists name the same things.
import { readFileSync } from 'node:fs';
import * as headwiseModule from 'headwise';
import * as golden from 'headwise/golden';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { stateLayouts } from '../../wasm/wrapper/layer-from.mjs';
import { loadModule } from '../../wasm/wrapper/loading.mjs';
import { kinds } from '../../wasm/wrapper/sizes.mjs';
import { dimensionKeys, dimensionNames } from '../../wasm/wrapper/spelling.mjs';
import { errorOf, ownGolden, smallLayer, wasmFolder } from './support.mjs';

const { errorCodes, loadFailures, loadHeadwise } = headwiseModule;
const exportsOf = (file) =>
  ts
    .createSourceFile(file, readFileSync(`${wasmFolder}${file}`, 'utf8'), ts.ScriptTarget.Latest, true)
    .statements.filter((statement) => statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));
const own = exportsOf('headwise.d.ts');
const statements = [...own, ...exportsOf('types/case.d.ts'), ...exportsOf('types/results.d.ts')];
const isValue = ({ kind }) =>
  [ts.SyntaxKind.FunctionDeclaration, ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.VariableStatement].includes(kind);
/** What a file exports that has a value. */
const valuesOf = (exported) =>
  exported
    .filter(isValue)
    .flatMap(
      (statement) => statement.declarationList?.declarations.map(({ name }) => name.text) ?? [statement.name.text],
    );
const declared = (name) =>
  statements.find((statement) => statement.name?.text === name) ??
  expect.fail(`headwise.d.ts does not declare ${name}`);

/** A member's name; "Symbol.dispose" of one in brackets. */
const nameOf = ({ name }) => name.text ?? name.expression.getText();
/** Names of an interface's or class's members. */
const membersOf = (name) => [...new Set(declared(name).members.map(nameOf))];
/** Those that an object has, named in the same way. */
const namesIn = (object) => [
  ...Object.keys(object),
  ...Object.getOwnPropertySymbols(object).map((symbol) => (symbol === Symbol.dispose ? 'Symbol.dispose' : 'unknown')),
];
/** The texts of a union of literals, given by the name of its type. */
const wordsOf = (name) => literals(declared(name).type);
const literals = (type) =>
  (type.kind === ts.SyntaxKind.UnionType ? type.types : [type]).map(({ literal }) => literal.text);
/** The matrices of the trace that the layer, a head or a key/value head has. */
const tracedBy = (wanted) =>
  lists.fields
    .filter(({ part, owner }) => part === 'trace' && owner === wanted)
    .map(({ path }) => path.split('[].').at(-1));

let headwise;
let module;
let lists;
let trainer;
let layer;
beforeAll(async () => {
  headwise = await loadHeadwise();
  trainer = headwise.createTrainer({ headCount: 1, headSize: 1, seed: 1, batchSize: 1, heldOutSize: 1 });
  layer = headwise.openLayer(smallLayer());
  module = await loadModule();
  module.room(0);
  lists = module.lists();
});

describe('headwise.d.ts against the wrapper', () => {
  it('declares what the package exports, and nothing else that has a value', () => {
    expect(valuesOf(own).sort()).toEqual(Object.keys(headwiseModule).sort());
    expect(valuesOf(exportsOf('golden.d.ts')).sort()).toEqual(Object.keys(golden).sort());
    expect(valuesOf(statements)).toEqual(valuesOf(own));
  });

  it('declares every member of the engine, and no other', () => {
    expect(membersOf('Headwise').sort()).toEqual(Object.keys(headwise).sort());
  });

  it('declares as many parameters as each function takes', () => {
    for (const [name, owner] of Object.entries({ Headwise: headwise, Trainer: trainer, Layer: layer }))
      for (const member of declared(name).members.filter(ts.isMethodSignature)) {
        const required = member.parameters.filter(({ questionToken }) => !questionToken).length;
        const called = member.name.text ? owner[member.name.text] : owner[Symbol.dispose];
        expect(called.length, `${name}.${nameOf(member)}`).toBe(required);
      }
  });

  it('declares the gradients there can be, and no other', () => {
    const files = ['01_sdpa_single_head', '02_mha_self_nobias', '12_additive_single', '13_additive_multihead'];
    const names = files.map(ownGolden).flatMap((file) => Object.keys(headwise.backward(file, file.inputs.G)));
    expect(membersOf('Gradients').sort()).toEqual([...new Set(names)].sort());
  });

  it.each([
    ['TrainerRequest', (request) => headwise.createTrainer(request)],
    ['SharingOptions', (options) => headwise.shareWeights(smallLayer(), options)],
    ['Decisions', (decisions) => headwise.forward(smallLayer(), decisions)],
    ['RandomCaseRequest', (request) => headwise.randomCase(request)],
    ['LayerFromOptions', (options) => headwise.layerFrom({}, options)],
    ['CaseOptions', (options) => headwise.attend({ ...smallLayer(), options })],
    ['CaseDimensions', (dims) => headwise.attend({ ...smallLayer(), dims })],
  ])('declares what a %s may say, and no other', (name, call) => {
    // The refusal of an unknown name lists those that are known.
    const { message } = errorOf(() => call({ nonsense: 1 }), 'invalidOption');
    const [, known] = /can be (.+)\.$/.exec(message);
    expect(membersOf(name).sort()).toEqual(known.split(/, | or /).sort());
  });

  it('lists the error codes', () => expect(wordsOf('ErrorCode')).toEqual(errorCodes));
  it('lists the kinds', () => expect(wordsOf('Kind')).toEqual(Object.keys(kinds)));
  it('lists the sizes', () => expect(membersOf('CaseDimensions')).toEqual(dimensionKeys));

  it('lists the fields of a trace', () => {
    expect(membersOf('KeyValueHeadTrace')).toEqual(tracedBy('keyValueHead'));
    expect(membersOf('HeadTrace')).toEqual([...tracedBy('head'), ...tracedBy('keyValueHead')]);
    expect(membersOf('Trace').sort()).toEqual(Object.keys(headwise.attend(smallLayer())).sort());
  });

  it.each([
    ['Matrix', () => headwise.attend(smallLayer()).output],
    ['Comparison', () => headwise.compareMatrices([[1]], [[2]])],
    ['OwnConstruction', () => judgement()],
    ['Explanation', () => headwise.explainCell(smallLayer(), 'output', 0, 0)],
    ['WeightCell', () => headwise.cellAt('torch', { d_q: 4, num_heads: 2 }, { row: 1, column: 2 })],
    ['ScaleStudy', () => headwise.studyScale({ keySize: 2, queryCount: 2, keyCount: 2, seed: 1 })],
    ['LayerCost', () => headwise.layerCost({ dims: { n_q: 1, d_q: 1, num_heads: 1 } })],
    ['CostTerm', () => headwise.layerCost({ dims: { n_q: 1, d_q: 1, num_heads: 1 } }).terms[0]],
    ['SharingCost', () => headwise.sharingCost({ dims: { n_q: 1, d_q: 1, num_heads: 1 } }, {})],
    ['NumericalRank', () => headwise.numericalRank([[1]])],
    ['Trainer', () => trainer],
    ['Layer', () => layer],
    ['Field', () => headwise.fields[0]],
    ['Place', () => headwise.explainCell(smallLayer(), 'concatenated', 0, 0).sources[0]],
    ['Probe', () => trainer.probe()],
    [
      'CompleteWeights',
      () =>
        headwise.randomCase({ kind: 'additive_mha', dims: { n_q: 1, d_q: 1, num_heads: 1, a: 1 }, seed: 1 }).weights,
    ],
    ['StepReport', () => trainer.step()],
    ['Evaluation', () => trainer.evaluate()],
    ['CaseWeights', () => ({ ...ownGolden('13_additive_multihead').weights, w_v: null })],
  ])('declares the members of a %s', (name, example) => {
    expect(membersOf(name).sort()).toEqual(namesIn(example()).sort());
  });

  function judgement() {
    const single = headwise.randomCase({ dims: { n_q: 2, d_q: 4, num_heads: 1 }, seed: 1 });
    return headwise.judgeOwnConstruction(single, headwise.splitSingleHead(single, 2));
  }
});

describe('lists against the module', () => {
  it('error codes: the core’s first, then the wrapper’s', () => {
    expect(errorCodes.slice(0, lists.errorCodes.length)).toEqual(lists.errorCodes);
    expect(errorCodes.slice(lists.errorCodes.length)).toEqual(['invalidArgument', 'loadFailed', 'internal']);
  });
  it('reasons of failed loading', () => expect(wordsOf('LoadFailure')).toEqual(loadFailures));
  it('axes, parts, owners and roles of fields, and slices of operands', () => {
    expect(wordsOf('Axis')).toEqual(lists.axes);
    expect(wordsOf('FieldPart')).toEqual(lists.parts);
    expect(wordsOf('FieldOwner')).toEqual(lists.owners);
    expect(wordsOf('FieldRole')).toEqual(lists.fieldRoles);
    expect(wordsOf('SliceName')).toEqual(lists.slices);
  });
  it('decisions and their values', () => {
    expect(membersOf('Decisions')).toEqual(lists.decisions.map(({ name }) => name));
    for (const { name, values } of lists.decisions) {
      const { type } = declared('Decisions').members.find((member) => member.name.text === name);
      const types = { flag: 'boolean', number: 'number', scale: 'CaseScale' };
      if (Array.isArray(values)) expect(type.typeName ? wordsOf(type.getText()) : literals(type), name).toEqual(values);
      else expect(type.getText(), name).toBe(types[values]);
    }
  });
  it('alignments of masks', () => expect(wordsOf('AlignmentName')).toEqual(lists.alignments));
  it('layouts of states', () => expect(wordsOf('StateLayoutName')).toEqual(stateLayouts));
  it('constructions', () => {
    expect(wordsOf('ConstructionName')).toEqual(lists.constructions);
    expect(headwise.constructions).toEqual(lists.constructions);
  });
  it('layouts', () => expect(wordsOf('LayoutName')).toEqual(lists.layouts));
  it('roles', () => expect(wordsOf('RoleName')).toEqual(lists.roles));
  it('sharings', () => expect(wordsOf('SharingName')).toEqual(lists.sharings));
  it('initialisations', () => expect(wordsOf('InitialisationName')).toEqual(lists.initialisations));
  it('optimizers', () => expect(wordsOf('OptimizerName')).toEqual(lists.optimizers));
  it('distributions', () => expect(wordsOf('DistributionName')).toEqual(lists.distributions));
  it('operations', () => expect(wordsOf('OperationName')).toEqual(lists.operations));
  it('scales', () => expect(wordsOf('ScaleName')).toEqual(lists.scales));
  it('poolings', () =>
    expect([...new Set(Object.values(kinds).map(({ pooling }) => pooling))]).toEqual(lists.poolings));
  it('sizes', () => {
    expect(Object.values(dimensionNames)).toEqual(lists.sizes);
  });

  it('golden names point at trace fields, each once', () => {
    const { goldenNames } = golden;
    const paths = lists.fields.filter(({ part }) => part === 'trace').map(({ path }) => path);
    for (const path of Object.values(goldenNames)) expect(paths).toContain(path);
    expect(new Set(Object.values(goldenNames)).size).toBe(Object.keys(goldenNames).length);
  });
});

describe('the package', () => {
  const manifest = JSON.parse(readFileSync(`${wasmFolder}package.json`, 'utf8'));
  it('has the version of the C++ project', () => expect(manifest.version).toBe(headwise.version));
  it('ships every file that it exports or imports', () => {
    const shipped = (path) =>
      manifest.files.some((entry) => path === `./${entry}` || (entry.endsWith('/') && path.startsWith(`./${entry}`)));
    const exported = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    for (const path of exported.filter((file) => file !== './package.json')) expect(shipped(path), path).toBe(true);
    const imports = readFileSync(`${wasmFolder}headwise.mjs`, 'utf8').matchAll(/from '(\.[^']+)'/g);
    for (const [, path] of imports) expect(shipped(path), path).toBe(true);
  });
});
