// The one error type, and its codes.

/** The core's codes, in its order, then the wrapper's own. A test holds the former against the module. */
export const errorCodes = Object.freeze([
  'invalidDimension',
  'shapeMismatch',
  'notFinite',
  'invalidOption',
  'tooLarge',
  'invalidArgument', // a wrong type, not an integer, a ragged array, something missing
  'loadFailed',
  'internal', // a fault of Headwise
]);

/** Why loading failed. */
export const loadFailures = Object.freeze([
  'policy', // the page's policy forbids WebAssembly
  'unsupported', // there is no WebAssembly here, or one that is too old
  'network', // nothing came, or not all of it
  'missing', // the server has no such file
  'server', // the server failed
  'notWasm', // something else came
  'damaged', // it is cut off or changed
  'foreign', // it is of another build than the JavaScript beside it
  'start', // it does not start
]);

export class HeadwiseError extends Error {
  /**
   * @param {string} code one of errorCodes
   * @param {string} message names the argument, what was wanted and what came
   * @param {{ cause?: unknown, argument?: string, reason?: string }} [details]
   */
  constructor(code, message, { argument, reason, ...options } = {}) {
    super(message, options);
    this.name = 'HeadwiseError';
    this.code = code;
    if (argument) this.argument = argument;
    if (reason) this.reason = reason;
  }
}

/** @returns {never} */
export function refuse(code, message, details) {
  throw new HeadwiseError(code, message, details);
}
