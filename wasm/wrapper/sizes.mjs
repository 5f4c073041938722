// The sizes of a layer: what mentions them must agree, and what is left out has a usual value.
import { checkInteger, checkObject, checkOneOf, pathText } from './checks.mjs';
import { refuse } from './errors.mjs';
import { checkCaseKeys } from './foreign-words.mjs';
import { shapeText } from './matrices.mjs';
import { Request } from './request.mjs';
import { dimensionKeys, dimensionNames } from './spelling.mjs';

/** What each kind of case is: with projections or without, and how scores are made. */
export const kinds = Object.freeze({
  sdpa: { projected: false, pooling: 'scaledDotProduct' },
  mha: { projected: true, pooling: 'scaledDotProduct' },
  additive: { projected: false, pooling: 'additive' },
  additive_mha: { projected: true, pooling: 'additive' },
});

/** Sizes by name, each from whatever mentions it; the second to mention one must agree with the first. */
export class Sizes {
  #known = {};
  #sources = {};

  constructor(path, dims) {
    if (dims === undefined) return;
    checkObject(path, dims, 'an object of sizes');
    checkCaseKeys(path, dims, dimensionKeys);
    for (const name of dimensionKeys) {
      const size = dims[name];
      if (size === undefined) continue;
      const source = () => `${path}.${name}`;
      this.claim(name, checkInteger(source, size), source);
    }
  }

  /** @param {string | (() => string)} source what mentions the size, for a message */
  claim(name, size, source) {
    const known = this.#known[name];
    if (known === undefined) {
      this.#known[name] = size;
      this.#sources[name] = source;
    } else if (known !== size)
      refuse(
        'shapeMismatch',
        `${name} is ${known} by ${pathText(this.#sources[name])}, but ${size} by ${pathText(source)}; they must agree.`,
        { argument: name },
      );
  }

  /** Claims both sizes of a matrix. */
  claimShape(path, matrix, rowsName, columnsName) {
    const source = () => `${pathText(path)} (${shapeText(matrix)})`;
    this.claim(rowsName, matrix.rows, source);
    this.claim(columnsName, matrix.columns, source);
  }

  get(name) {
    return this.#known[name];
  }

  /** In the golden files' spelling and order. */
  toDims() {
    return Object.fromEntries(
      dimensionKeys.filter((name) => this.get(name) !== undefined).map((name) => [name, this.get(name)]),
    );
  }

  /** The numbers of the core's Dimensions, in their order; a size that only additive pooling has is 0 without it. */
  toCore(pooling) {
    return Object.keys(dimensionNames).map((name) =>
      name === 'a' && pooling !== 'additive' ? 0 : (this.get(name) ?? 0),
    );
  }
}

/** Without projections there is one head, as wide as its inputs. */
export function claimUnprojected(sizes) {
  const source = 'a layer without projections';
  sizes.claim('num_heads', 1, source);
  sizes.claim('num_kv_heads', 1, source);
  sizes.claim('p_q', sizes.get('d_q'), source);
  sizes.claim('p_k', sizes.get('d_k'), source);
  sizes.claim('p_v', sizes.get('d_v'), source);
  sizes.claim('p_o', sizes.get('d_v'), source);
}

/**
 * Sizes for which there are no matrices yet. Left out: d_k, d_v, p_o are d_q; num_kv_heads is num_heads; p_q, p_k, p_v are
 * d_q / num_heads (and p_q = p_k if one of them is given); n_kv is n_q.
 * @param {{ call: Function }} engine
 * @param {string} path
 * @param {unknown} kind
 * @param {unknown} dims
 */
export function completeSizes({ call }, path, kind, dims) {
  const { projected, pooling } = kinds[checkOneOf('kind', kind ?? 'mha', Object.keys(kinds))];
  const sizes = dims instanceof Sizes ? dims : new Sizes(path, present(path, dims));
  const settle = (name, size) => {
    if (sizes.get(name) === undefined) sizes.claim(name, size(), `the default of ${path}.${name}`);
  };
  const needed = (name) => () =>
    refuse('invalidDimension', `${path}.${name} is missing; it has no default.`, { argument: name });
  if (sizes.get('n_q') !== undefined) settle('n_kv', () => sizes.get('n_q'));
  if (pooling === 'additive') settle('a', needed('a'));
  settle('d_q', projected ? needed('d_q') : () => sizes.get('d_k') ?? needed('d_q')());
  settle('d_k', () => sizes.get('d_q'));
  settle('d_v', () => sizes.get('d_q'));
  if (!projected) {
    claimUnprojected(sizes);
    return { sizes, projected, pooling };
  }
  settle('num_heads', needed('num_heads'));
  settle('num_kv_heads', () => sizes.get('num_heads'));
  const headWidth = () => call('headSizeOf', new Request().number(sizes.get('d_q')).number(sizes.get('num_heads')));
  settle('p_q', () => sizes.get('p_k') ?? headWidth());
  settle('p_k', () => sizes.get('p_q'));
  settle('p_v', headWidth);
  settle('p_o', () => sizes.get('d_q'));
  return { sizes, projected, pooling };
}

function present(path, dims) {
  if (dims === undefined)
    refuse('invalidArgument', `${path} is missing; it must be an object of sizes.`, { argument: 'dims' });
  return dims;
}
