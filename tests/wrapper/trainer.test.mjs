// Trainers through the wrapper: what they compute, that they repeat it, what they refuse, and that they leave nothing behind.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, nested } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** Small enough for thousands of steps; the defaults where a test is about them. */
const small = { headCount: 2, headSize: 3, seed: 7, batchSize: 4, heldOutSize: 8 };
const withTrainer = (request, use) => {
  const trainer = headwise.createTrainer(request);
  try {
    return use(trainer);
  } finally {
    trainer.dispose();
  }
};
const stepsOf = (trainer, count) => Array.from({ length: count }, () => trainer.step());
const weightsOf = (trainer) => trainer.probe().layer.weights;
const meanSquare = (numbers) => numbers.reduce((sum, number) => sum + number * number, 0) / numbers.length;

describe('a trainer', () => {
  it('counts its steps, one at a time or several', () => {
    withTrainer(small, (trainer) => {
      expect(trainer.probe().step).toBe(0);
      expect(trainer.step().step).toBe(1);
      expect(trainer.step(5).step).toBe(6);
      expect(trainer.probe().step).toBe(6);
    });
  });

  it('several steps are as many single ones, to the last bit', () => {
    withTrainer(small, (one) =>
      withTrainer(small, (many) => {
        expect(many.step(5)).toEqual(stepsOf(one, 5).at(-1));
        expect(many.probe()).toEqual(one.probe());
      }),
    );
  });

  it('moves weights by steps, and by nothing else', () => {
    withTrainer(small, (trainer) => {
      const before = weightsOf(trainer);
      trainer.evaluate({ withoutHeads: [0, 1] });
      trainer.evaluate();
      expect(weightsOf(trainer)).toEqual(before);
      trainer.step();
      for (const name of ['W_q', 'W_k', 'W_v', 'W_o']) expect(weightsOf(trainer)[name], name).not.toEqual(before[name]);
    });
  });

  it('first moves every weight by the learning rate under Adam, and down the gradient under SGD', () => {
    const learningRate = 0.25;
    const movesUnder = (optimizer) =>
      withTrainer({ ...small, optimizer, learningRate }, (trainer) => {
        const before = weightsOf(trainer).W_o.data;
        const { gradientNorm } = trainer.step();
        const after = weightsOf(trainer).W_o.data;
        return { moves: before.map((weight, i) => Math.abs(after[i] - weight)), gradientNorm };
      });
    // |ĝ| / (√ĝ² + 1e-8) is 1 but for the 1e-8, which is up to a thousandth of the smallest gradients here.
    for (const move of movesUnder('adam').moves) expect(move).toBeCloseTo(learningRate, 3);
    // W_o is a part of all weights, so its move is shorter than the whole.
    const { moves, gradientNorm } = movesUnder('sgd');
    expect(Math.hypot(...moves)).toBeLessThan(learningRate * gradientNorm);
    expect(Math.hypot(...moves)).toBeGreaterThan(0);
  });

  it('has the usual values where the request leaves them out', () => {
    const usual = {
      sharing: 'none',
      groupSize: 1,
      initialisation: 'independent',
      batchSize: 64,
      heldOutSize: 4096,
      optimizer: 'adam',
      learningRate: 0.02,
    };
    const request = { headCount: 1, headSize: 2, seed: 3 };
    const resultsOf = (trainer) => [stepsOf(trainer, 2), trainer.evaluate()];
    expect(withTrainer(request, resultsOf)).toEqual(withTrainer({ ...request, ...usual }, resultsOf));
  });

  it.each([
    ['headCount', 3],
    ['headSize', 4],
    ['seed', 8],
    ['sharing', 'all'],
    ['initialisation', 'equalHeads'],
    ['batchSize', 5],
    ['optimizer', 'sgd'],
    ['learningRate', 0.1],
  ])('learns otherwise with another %s', (name, value) => {
    const lossesOf = (trainer) => stepsOf(trainer, 2).map(({ loss }) => loss);
    expect(withTrainer({ ...small, [name]: value }, lossesOf)).not.toEqual(withTrainer(small, lossesOf));
  });

  it('is held against the same sequences, whatever its seed', () => {
    const heldOut = (seed) => withTrainer({ ...small, seed }, (trainer) => trainer.probe().target);
    expect(heldOut(1)).toEqual(heldOut(2));
  });

  it('lets its functions be taken out of it', () => {
    const { step, evaluate, probe, reset, dispose } = headwise.createTrainer(small);
    expect([step().step, probe().step, evaluate().loss > 0]).toEqual([1, 1, true]);
    reset();
    expect(probe().step).toBe(0);
    dispose();
  });
});

describe('nudgeOutput', () => {
  const equal = { ...small, initialisation: 'equalHeadsAndOutput' };
  const gap = (trainer) => {
    const [first, second] = trainer.probe().layer.weights.W_q;
    return headwise.compareMatrices(first, second).largestDifference;
  };

  it('parts two heads that nothing else would, and reset forgets it', () => {
    withTrainer(equal, (trainer) => {
      trainer.step(3);
      expect(gap(trainer)).toBe(0);
      const before = trainer.probe().layer.weights.W_o.data.slice();
      trainer.nudgeOutput(1, 2, 1e-6);
      const { data, columns } = trainer.probe().layer.weights.W_o;
      before[columns + 2] += 1e-6;
      expect(data).toEqual(before);
      trainer.step(3);
      expect(gap(trainer)).toBeGreaterThan(0);
      trainer.reset();
      trainer.step(6);
      expect(gap(trainer)).toBe(0);
    });
  });

  it('says what is wrong with a place or a number', () => {
    withTrainer(equal, (trainer) => {
      expect(() => trainer.nudgeOutput(6, 0, 1)).toThrow(/^row must be from 0 to 5 in W_o, but is 6\.$/);
      expect(() => trainer.nudgeOutput(0, 12, 1)).toThrow(/^column must be from 0 to 11 in W_o, but is 12\.$/);
      expect(() => trainer.nudgeOutput(-1, 0, 1)).toThrow(/row/);
      expect(() => trainer.nudgeOutput(0, 0, NaN)).toThrow(/^by must be/);
    });
  });
});

describe('probe', () => {
  it('gives a layer that attend takes: queries and keys read content and position, values content alone', () => {
    withTrainer(small, (trainer) => {
      const { layer, target } = trainer.probe();
      const { query, key, value } = layer.inputs;
      expect(layer.dims).toMatchObject({ n_q: 6, n_kv: 6, d_q: 12, d_k: 12, d_v: 6, num_heads: 2, p_q: 3, p_o: 12 });
      expect(key).toEqual(query);
      nested(query).forEach((row, t) => {
        expect(row.slice(0, 6)).toEqual(nested(value)[t]);
        expect(row.slice(6)).toEqual(row.slice(6).map((_, place) => (place === t ? 1 : 0)));
      });
      expect(headwise.attend(layer).output).toMatchObject({ rows: 6, columns: 12 });
      // At t: the content before, going round, beside the first.
      const content = nested(value);
      expect(nested(target)).toEqual(content.map((_, t) => [...content.at(t - 1), ...content[0]]));
    });
  });

  it('gives copies', () => {
    withTrainer(small, (trainer) => {
      const loss = trainer.evaluate();
      const { layer, target } = trainer.probe();
      layer.weights.W_o.data.fill(0);
      layer.inputs.value.data.fill(0);
      target.data.fill(0);
      expect(trainer.evaluate()).toEqual(loss);
    });
  });
});

describe('evaluate', () => {
  // One held-out sequence: the one that probe gives.
  const one = { ...small, heldOutSize: 1 };
  const errorsOf = (layer, target) => {
    const output = nested(headwise.attend(layer).output);
    return nested(target).map((row, t) => row.map((number, i) => output[t][i] - number));
  };
  const expectLosses = (evaluation, errors) => {
    // The same sums in another order.
    expect(evaluation.loss).toBeCloseTo(meanSquare(errors.flat()), 12);
    expect(evaluation.previousLoss).toBeCloseTo(meanSquare(errors.flatMap((row) => row.slice(0, 6))), 12);
    expect(evaluation.firstLoss).toBeCloseTo(meanSquare(errors.flatMap((row) => row.slice(6))), 12);
  };

  it('is the mean squared error of the layer, and of each look-up', () => {
    withTrainer(one, (trainer) => {
      trainer.step(3);
      const { layer, target } = trainer.probe();
      expectLosses(trainer.evaluate(), errorsOf(layer, target));
      expect(trainer.evaluate({})).toEqual(trainer.evaluate());
      expect(trainer.evaluate({ withoutHeads: [] })).toEqual(trainer.evaluate());
    });
  });

  it.each([[[0]], [[1]], [[0, 1]], [[1, 0, 1]]])(
    'without heads %j: as if their blocks of W_o were 0',
    (withoutHeads) => {
      withTrainer(one, (trainer) => {
        trainer.step(3);
        const { layer, target } = trainer.probe();
        for (const head of withoutHeads) {
          const block = layer.weights.W_o.data.length / 2;
          layer.weights.W_o.data.fill(0, head * block, (head + 1) * block);
        }
        expectLosses(trainer.evaluate({ withoutHeads }), errorsOf(layer, target));
      });
    },
  );

  it('gives the bound of the set: half the squared gap between the two look-ups', () => {
    withTrainer(one, (trainer) => {
      const gaps = nested(trainer.probe().target).flatMap((row) =>
        row.slice(0, 6).map((number, i) => number - row[i + 6]),
      );
      // Over twice as many numbers as there are gaps.
      expect(trainer.evaluate().oneHeadBound).toBeCloseTo(meanSquare(gaps) / 2 / 2, 12);
    });
    // An expectation of 5/12; the spread of 4,096 sequences is about 0.002.
    withTrainer({ ...small, heldOutSize: 4096 }, (trainer) =>
      expect(Math.abs(trainer.evaluate().oneHeadBound - 5 / 12)).toBeLessThan(0.01),
    );
  });
});

describe('the five runs of the task', () => {
  const two = { headCount: 2, headSize: 6 };
  it.each([
    ['one head as wide as two', { headCount: 1, headSize: 12 }, false],
    ['two heads', two, true],
    ['two heads that share', { ...two, sharing: 'all' }, false],
    ['two heads that start equal', { ...two, initialisation: 'equalHeads' }, true],
    ['two heads that start equal, W_o included', { ...two, initialisation: 'equalHeadsAndOutput' }, false],
  ])('%s', (_, layer, learns) => {
    withTrainer({ ...layer, seed: 1 }, (trainer) => {
      trainer.step(300);
      const { loss, previousLoss, firstLoss, oneHeadBound } = trainer.evaluate();
      if (learns) {
        expect(Math.max(loss, previousLoss, firstLoss)).toBeLessThan(0.001);
        // Each head has become one look-up: without it that one is lost, and the other is not.
        const lost = [0, 1].map((head) => trainer.evaluate({ withoutHeads: [head] }));
        const [byFirst, byPrevious] = lost[0].firstLoss > 0.5 ? lost : lost.toReversed();
        expect([byFirst.firstLoss, byPrevious.previousLoss].every((worse) => worse > 0.5)).toBe(true);
        return;
      }
      // The bound is of the best layer for ever; after 300 steps a little is left to learn.
      expect(loss).toBeGreaterThan(oneHeadBound);
      expect(loss).toBeLessThan(oneHeadBound + 0.01);
      if (layer.headCount === 1) return;
      const { W_q, W_k, W_v } = weightsOf(trainer);
      for (const matrices of [W_q, W_k, W_v]) expect(matrices[1]).toEqual(matrices[0]);
    });
  });
});

describe('sharing and initialisation', () => {
  const startOf = (request) => withTrainer({ ...small, headCount: 4, ...request }, weightsOf);
  const blocksOf = ({ W_o }) => Array.from({ length: 4 }, (_, j) => nested(W_o).slice(j * 3, (j + 1) * 3));
  const areEqual = (list) => list.slice(1).every((part) => headwiseEqual(part, list[0]));
  const headwiseEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const equalities = (weights) => ({
    W_q: areEqual(weights.W_q.map(nested)),
    W_k: areEqual(weights.W_k.map(nested)),
    W_v: areEqual(weights.W_v.map(nested)),
    W_o: areEqual(blocksOf(weights)),
  });

  it.each([
    [{}, { W_q: false, W_k: false, W_v: false, W_o: false }],
    [{ initialisation: 'equalHeads' }, { W_q: true, W_k: true, W_v: true, W_o: false }],
    [{ initialisation: 'equalHeadsAndOutput' }, { W_q: true, W_k: true, W_v: true, W_o: true }],
    [{ sharing: 'keysAndValues' }, { W_q: false, W_k: true, W_v: true, W_o: false }],
    [{ sharing: 'all' }, { W_q: true, W_k: true, W_v: true, W_o: false }],
  ])('%o: starts with these heads equal', (request, expected) =>
    expect(equalities(startOf(request))).toEqual(expected),
  );

  it('heads that share stay equal to the last bit, in their groups and no further', () => {
    withTrainer({ ...small, headCount: 4, sharing: 'keysAndValuesPerGroup', groupSize: 2 }, (trainer) => {
      trainer.step(20);
      const { W_q, W_k, W_v } = weightsOf(trainer);
      for (const matrices of [W_k, W_v]) {
        expect([matrices[1], matrices[3]]).toEqual([matrices[0], matrices[2]]);
        expect(matrices[2]).not.toEqual(matrices[0]);
      }
      expect(W_q[1]).not.toEqual(W_q[0]);
    });
  });

  it('heads that start equal separate, unless their blocks of W_o are equal too', () => {
    const gapAfter = (initialisation) =>
      withTrainer({ ...small, initialisation }, (trainer) => {
        trainer.step(20);
        const { W_q } = weightsOf(trainer);
        return headwise.compareMatrices(W_q[0], W_q[1]).largestDifference;
      });
    expect(gapAfter('equalHeads')).toBeGreaterThan(0.01);
    expect(gapAfter('equalHeadsAndOutput')).toBe(0);
  });
});

describe('repetition', () => {
  const everythingOf = (trainer) => [stepsOf(trainer, 20), trainer.evaluate(), trainer.probe()];

  it.each([
    ['another seed', { seed: 99 }],
    ['another size of batch', { batchSize: 5 }],
    ['another size of the held-out set', { heldOutSize: 9 }],
    ['the same request', {}],
  ])('the same request gives the same numbers to the last bit, beside a trainer of %s too', (_, other) => {
    const alone = withTrainer(small, everythingOf);
    withTrainer({ ...small, ...other }, (b) =>
      withTrainer(small, (a) => {
        const steps = Array.from({ length: 20 }, () => {
          b.step();
          return a.step();
        });
        b.evaluate();
        expect([steps, a.evaluate(), a.probe()]).toEqual(alone);
      }),
    );
  });

  it('another instance of the module gives the same numbers', async () => {
    const other = (await loadHeadwise()).createTrainer(small);
    expect(everythingOf(other)).toEqual(withTrainer(small, everythingOf));
    other.dispose();
  });

  it.each(['adam', 'sgd'])('%s: reset goes back to the same weights and gives the same losses again', (optimizer) => {
    withTrainer({ ...small, optimizer }, (trainer) => {
      const start = trainer.probe();
      const first = everythingOf(trainer);
      for (let round = 0; round < 2; ++round) {
        trainer.reset();
        expect(trainer.probe()).toEqual(start);
        expect(everythingOf(trainer)).toEqual(first);
      }
    });
  });
});

describe('training that diverges', () => {
  // Rates at which the loss overflows, the weights do, and products of them do.
  it.each([
    ['sgd', 1e6],
    ['sgd', 1e100],
    ['sgd', 1e300],
    ['adam', 1e100],
    ['adam', 1e300],
  ])(
    '%s with rate %d: reports finite numbers, then throws with a sentence, and can be reset',
    (optimizer, learningRate) => {
      withTrainer({ ...small, optimizer, learningRate }, (trainer) => {
        const reports = [];
        const { message } = errorOf(() => {
          while (reports.length < 100) reports.push(trainer.step());
        }, 'notFinite');
        for (const { loss, gradientNorm } of reports) expect([loss, gradientNorm].every(Number.isFinite)).toBe(true);
        expect(message).toBe(
          `Training diverged after step ${reports.length}: its numbers became too large. Choose a smaller learningRate and reset.`,
        );
        // The weights are those before the step that failed, which fails again.
        expect(trainer.probe().step).toBe(reports.length);
        expect(
          Object.values(weightsOf(trainer))
            .flat()
            .every((part) => part === null || part.data.every(Number.isFinite)),
        ).toBe(true);
        expect(errorOf(() => trainer.step(), 'notFinite').message).toBe(message);

        trainer.reset();
        expect(trainer.probe().step).toBe(0);
        expect(trainer.step()).toEqual(reports[0]);
      });
    },
  );

  it('whose first step overflows keeps the weights it started with', () => {
    withTrainer({ ...small, learningRate: 1e308 }, (trainer) => {
      const start = trainer.probe();
      expect(errorOf(() => trainer.step(), 'notFinite').message).toContain('after step 0');
      expect(trainer.probe()).toEqual(start);
    });
  });

  it('evaluate throws where its loss overflows, and gives finite numbers where not', () => {
    withTrainer({ ...small, optimizer: 'sgd', learningRate: 1e100 }, (trainer) => {
      trainer.step();
      expect(errorOf(() => trainer.evaluate(), 'notFinite').message).toMatch(/overflowed/);
      trainer.reset();
      for (const number of Object.values(trainer.evaluate())) expect(number).toSatisfy(Number.isFinite);
    });
  });

  it('does no harm to other trainers', () => {
    const expected = withTrainer(small, (trainer) => stepsOf(trainer, 5));
    withTrainer({ ...small, learningRate: 1e308 }, (diverging) => {
      errorOf(() => diverging.step(10), 'notFinite');
      expect(withTrainer(small, (trainer) => stepsOf(trainer, 5))).toEqual(expected);
    });
  });
});

describe('refusals', () => {
  it.each([
    ['no request', undefined, 'invalidArgument', ['The request', 'an object', 'undefined']],
    ['a request that is a number', 2, 'invalidArgument', ['The request', 'an object', '2']],
    ['an unknown key', { ...small, batchsize: 2 }, 'invalidOption', ['request.batchsize', 'did you mean batchSize?']],
  ])('%s', (_, request, code, parts) => {
    const { message } = errorOf(() => headwise.createTrainer(request), code);
    for (const part of parts) expect(message).toContain(part);
  });

  const positive = ['at least 1'];
  it.each([
    ['headCount', undefined, 'invalidArgument', ['whole number', 'undefined']],
    ['headCount', null, 'invalidArgument', ['whole number', 'null']],
    ['headCount', 0, 'invalidDimension', [...positive, '0']],
    ['headCount', -1, 'invalidDimension', [...positive, '-1']],
    ['headCount', 1.5, 'invalidArgument', ['whole number', '1.5']],
    ['headCount', '2', 'invalidArgument', ['whole number', 'the text "2"']],
    ['headCount', NaN, 'invalidArgument', ['whole number', 'NaN']],
    ['headCount', 2 ** 31, 'tooLarge', ['at most 2147483647', '2147483648']],
    ['headSize', undefined, 'invalidArgument', ['whole number', 'undefined']],
    ['headSize', 0, 'invalidDimension', [...positive, '0']],
    ['headSize', 2.5, 'invalidArgument', ['whole number', '2.5']],
    ['seed', undefined, 'invalidArgument', ['whole number', 'undefined']],
    ['seed', -1, 'invalidDimension', ['at least 0', '-1']],
    ['seed', 0.5, 'invalidArgument', ['whole number', '0.5']],
    ['seed', 2 ** 53, 'tooLarge', ['at most 9007199254740991', '9007199254740992']],
    ['seed', '7', 'invalidArgument', ['whole number', 'the text "7"']],
    ['sharing', 'queries', 'invalidOption', ['"queries"', 'none, keysAndValuesPerGroup, keysAndValues or all']],
    ['sharing', 'keysAndvalues', 'invalidOption', ['did you mean keysAndValues?']],
    ['sharing', true, 'invalidArgument', ['one of', 'true']],
    ['groupSize', 0, 'invalidDimension', [...positive, '0']],
    ['groupSize', 0.5, 'invalidArgument', ['whole number', '0.5']],
    ['initialisation', 'equalHead', 'invalidOption', ['did you mean equalHeads?']],
    ['initialisation', 1, 'invalidArgument', ['one of independent, equalHeads or equalHeadsAndOutput', '1']],
    ['batchSize', 0, 'invalidDimension', [...positive, '0']],
    ['batchSize', -64, 'invalidDimension', [...positive, '-64']],
    ['batchSize', 0.5, 'invalidArgument', ['whole number', '0.5']],
    ['batchSize', '64', 'invalidArgument', ['whole number', 'the text "64"']],
    ['heldOutSize', 0, 'invalidDimension', [...positive, '0']],
    ['heldOutSize', NaN, 'invalidArgument', ['whole number', 'NaN']],
    ['optimizer', 'adamw', 'invalidOption', ['did you mean adam?', 'sgd or adam']],
    ['optimizer', null, 'invalidArgument', ['one of', 'null']],
    ['learningRate', 0, 'invalidOption', ['greater than 0', '0']],
    ['learningRate', -0.02, 'invalidOption', ['greater than 0', '-0.02']],
    ['learningRate', NaN, 'notFinite', ['finite number', 'NaN']],
    ['learningRate', Infinity, 'notFinite', ['finite number', 'Infinity']],
    ['learningRate', '0.02', 'invalidArgument', ['a number', 'the text "0.02"']],
  ])('request.%s = %o', (name, value, code, parts) => {
    const { message } = errorOf(() => headwise.createTrainer({ ...small, [name]: value }), code);
    for (const part of [`request.${name}`, ...parts]) expect(message).toContain(part);
  });

  it('groups that do not divide the heads', () => {
    const request = { ...small, sharing: 'keysAndValuesPerGroup', groupSize: 3 };
    expect(errorOf(() => headwise.createTrainer(request), 'invalidDimension').message).toContain(
      'groupSize 3 does not divide headCount 2',
    );
  });

  it('what is far too large, at once; the engine goes on working', () => {
    const started = performance.now();
    // 2³² / 6 sequences have so many tokens that their number is 2 in 32 bits.
    const wrapping = Math.ceil(2 ** 32 / 6);
    for (const [name, value, part] of [
      ['batchSize', 1e9, 'batchSize of 1000000000 sequences'],
      ['batchSize', wrapping, `batchSize of ${wrapping} sequences`],
      ['heldOutSize', 1e9, 'heldOutSize of 1000000000 sequences'],
      ['heldOutSize', wrapping, `heldOutSize of ${wrapping} sequences`],
      ['headCount', 1e8, 'weights'],
      ['headSize', 1e8, 'weights'],
    ]) {
      const { message } = errorOf(() => headwise.createTrainer({ ...small, [name]: value }), 'tooLarge');
      expect(message).toContain(part);
      expect(message).toContain('256 MiB');
    }
    errorOf(() => headwise.createTrainer({ ...small, headCount: 2 ** 16, headSize: 2 ** 16 }), 'tooLarge');
    // Past what indices count, before memory is a question.
    const { message } = errorOf(() => headwise.createTrainer({ ...small, headCount: 1e9 }), 'tooLarge');
    expect(message).toBe('headCount is 1000000000, and can be at most 715827882.');
    expect(performance.now() - started).toBeLessThan(1000);
    expect(withTrainer(small, (trainer) => trainer.step().step)).toBe(1);
  });

  it('seed 0 and the largest seed are seeds', () => {
    for (const seed of [0, Number.MAX_SAFE_INTEGER])
      withTrainer({ ...small, seed }, (trainer) => expect(trainer.step().loss).toSatisfy(Number.isFinite));
  });

  it.each([
    [0, 'invalidDimension', ['at least 1', '0']],
    [-1, 'invalidDimension', ['at least 1', '-1']],
    [1.5, 'invalidArgument', ['whole number', '1.5']],
    [NaN, 'invalidArgument', ['whole number', 'NaN']],
    ['3', 'invalidArgument', ['whole number', 'the text "3"']],
    [null, 'invalidArgument', ['whole number', 'null']],
    [10_001, 'tooLarge', ['at most 10000', '10001']],
  ])('step(%o)', (count, code, parts) => {
    withTrainer(small, (trainer) => {
      const { message } = errorOf(() => trainer.step(count), code);
      for (const part of ['count', ...parts]) expect(message).toContain(part);
      expect(trainer.probe().step).toBe(0);
    });
  });

  it.each([
    [null, 'invalidArgument', ['options', 'null']],
    [[0], 'invalidArgument', ['options', 'an array of length 1']],
    [{ withoutHead: [0] }, 'invalidOption', ['options.withoutHead', 'did you mean withoutHeads?']],
    [{ withoutHeads: 0 }, 'invalidArgument', ['withoutHeads', 'an array of head numbers', '0']],
    [{ withoutHeads: null }, 'invalidArgument', ['withoutHeads', 'an array of head numbers', 'null']],
    [{ withoutHeads: [0, 2] }, 'invalidOption', ['withoutHeads[1]', 'from 0 to 1', '2']],
    [{ withoutHeads: [-1] }, 'invalidDimension', ['withoutHeads[0]', 'at least 0', '-1']],
    [{ withoutHeads: [0.5] }, 'invalidArgument', ['withoutHeads[0]', 'whole number', '0.5']],
    [{ withoutHeads: ['0'] }, 'invalidArgument', ['withoutHeads[0]', 'whole number', 'the text "0"']],
    [{ withoutHeads: Array(1) }, 'invalidArgument', ['withoutHeads[0]', 'whole number', 'undefined']],
    [{ withoutHeads: [2 ** 32] }, 'tooLarge', ['withoutHeads[0]', '4294967296']],
  ])('evaluate(%o)', (options, code, parts) => {
    withTrainer(small, (trainer) => {
      const { message } = errorOf(() => trainer.evaluate(options), code);
      for (const part of parts) expect(message).toContain(part);
    });
  });
});

describe('dispose', () => {
  it('may be called twice; using the trainer afterwards is an error', () => {
    const trainer = headwise.createTrainer(small);
    trainer.dispose();
    trainer.dispose();
    for (const use of ['step', 'reset', 'evaluate', 'probe'])
      expect(errorOf(() => trainer[use](), 'invalidOption').message).toBe(
        'This trainer has been disposed of; create another.',
      );
  });

  it('is also under Symbol.dispose', () => {
    const trainer = headwise.createTrainer(small);
    trainer[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
    errorOf(() => trainer.step(), 'invalidOption');
  });

  it('ends no other trainer', () => {
    const [a, b] = [headwise.createTrainer(small), headwise.createTrainer(small)];
    a.dispose();
    const c = headwise.createTrainer({ ...small, seed: 8 });
    a.dispose();
    expect([b.step().step, c.step().step]).toEqual([1, 1]);
    b.dispose();
    c.dispose();
  });
});

describe('memory', () => {
  it('does not grow over 200 trainers, each used and disposed of', async () => {
    const engine = await loadHeadwise();
    const round = (seed) => {
      const trainer = engine.createTrainer({ ...small, seed, sharing: seed % 2 ? 'all' : 'none' });
      trainer.step(2);
      trainer.evaluate({ withoutHeads: [0] });
      trainer.probe();
      trainer.reset();
      trainer.step();
      trainer.dispose();
    };
    round(0);
    const before = engine.memoryBytes;
    for (let seed = 1; seed <= 200; ++seed) round(seed);
    expect(engine.memoryBytes).toBe(before);
  });

  it('does not grow over 20,000 steps', async () => {
    const engine = await loadHeadwise();
    const trainer = engine.createTrainer({ ...small, batchSize: 1 });
    trainer.step(2); // the first makes Adam's moments
    const before = engine.memoryBytes;
    trainer.step(10_000);
    for (let step = 0; step < 10_000; ++step) trainer.step();
    expect(trainer.probe().step).toBe(20_002);
    // Blocks that live on may move into gaps that are a few bytes longer; one lost at each step would be 160,000 bytes at least.
    expect(Math.abs(engine.memoryBytes - before)).toBeLessThan(1000);
  });

  it('does not grow over trainers that are refused, and steps that fail', async () => {
    const engine = await loadHeadwise();
    const trainer = engine.createTrainer({ ...small, optimizer: 'sgd', learningRate: 1e300 });
    trainer.step();
    const round = () => {
      errorOf(() => trainer.step(), 'notFinite');
      errorOf(
        () => engine.createTrainer({ ...small, sharing: 'keysAndValuesPerGroup', groupSize: 3 }),
        'invalidDimension',
      );
      errorOf(() => engine.createTrainer({ ...small, heldOutSize: 1e9 }), 'tooLarge');
    };
    round(); // the first exception makes records that stay
    const before = engine.memoryBytes;
    for (let i = 0; i < 500; ++i) round();
    expect(engine.memoryBytes).toBe(before);
    trainer.dispose();
  });

  it('is held by a trainer until it is disposed of', async () => {
    const engine = await loadHeadwise();
    const use = (request) => {
      const trainer = engine.createTrainer(request);
      trainer.step();
      return trainer;
    };
    use(small).dispose(); // the first allocations make the allocator's own records
    const before = engine.memoryBytes;
    const trainers = [use({ ...small, heldOutSize: 1000 }), use({ ...small, batchSize: 1000 })];
    // 6 tokens a sequence: 12 numbers each of query, key and target, and 6 of value.
    expect(engine.memoryBytes - before).toBeGreaterThanOrEqual(8 * 1000 * 6 * 42);
    for (const trainer of trainers) trainer.dispose();
    expect(engine.memoryBytes).toBe(before);
  });
});
