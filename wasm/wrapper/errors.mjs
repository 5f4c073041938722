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

export class HeadwiseError extends Error {
  /**
   * @param {string} code one of errorCodes
   * @param {string} message names the argument, what was wanted and what came
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = 'HeadwiseError';
    this.code = code;
  }
}

/** @returns {never} */
export function refuse(code, message, options) {
  throw new HeadwiseError(code, message, options);
}
