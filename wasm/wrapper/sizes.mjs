// The sizes of a layer: what mentions them must agree, and what is left out has a usual value.
import { checkInteger, checkKeys, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { shapeText } from './matrices.mjs';
import { dimensionKeys, dimensionNames, kinds } from './names.mjs';

/** Sizes by name, each from whatever mentions it; the second to mention one must agree with the first. */
export class Sizes {
  #known = new Map();

  constructor(path, dims) {
    if (dims === undefined) return;
    checkObject(path, dims, 'an object of sizes');
    checkKeys(path, dims, dimensionKeys);
    for (const name of dimensionKeys)
      if (dims[name] !== undefined) this.claim(name, checkInteger(`${path}.${name}`, dims[name]), `${path}.${name}`);
  }

  claim(name, size, source) {
    const known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, { size, source });
    else if (known.size !== size)
      refuse(
        'shapeMismatch',
        `${name} is ${known.size} by ${known.source}, but ${size} by ${source}; they must agree.`,
      );
  }

  /** Claims both sizes of a matrix. */
  claimShape(path, matrix, rowsName, columnsName) {
    const source = `${path} (${shapeText(matrix)})`;
    this.claim(rowsName, matrix.rows, source);
    this.claim(columnsName, matrix.columns, source);
  }

  get(name) {
    return this.#known.get(name)?.size;
  }

  /** In the golden files' spelling and order. */
  toDims() {
    return Object.fromEntries(
      dimensionKeys.filter((name) => this.#known.has(name)).map((name) => [name, this.get(name)]),
    );
  }

  /** The core's Dimensions; a size that only additive pooling has is 0 without it. */
  toCore(pooling) {
    const core = Object.fromEntries(
      Object.entries(dimensionNames).map(([name, coreName]) => [coreName, this.get(name) ?? 0]),
    );
    return pooling === 'additive' ? core : { ...core, scoreHiddenSize: 0 };
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
 * @param {(name: string, request: object) => any} call
 * @param {string} path
 * @param {unknown} kind
 * @param {unknown} dims
 */
export function completeSizes(call, path, kind, dims) {
  const { projected, pooling } = kinds[checkOneOf('kind', kind ?? 'mha', Object.keys(kinds))];
  if (dims === undefined) refuse('invalidArgument', `${path} is missing; it must be an object of sizes.`);
  const sizes = new Sizes(path, dims);
  const settle = (name, size) => {
    if (sizes.get(name) === undefined) sizes.claim(name, size(), `the default of ${path}.${name}`);
  };
  const needed = (name) => () => refuse('invalidDimension', `${path}.${name} is missing; it has no default.`);
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
  const headWidth = () =>
    call('selfAttentionDimensions', { modelSize: sizes.get('d_q'), headCount: sizes.get('num_heads') }).querySize;
  settle('p_q', () => sizes.get('p_k') ?? headWidth());
  settle('p_k', () => sizes.get('p_q'));
  settle('p_v', headWidth);
  settle('p_o', () => sizes.get('d_q'));
  return { sizes, projected, pooling };
}
