// What a call takes to the module: every argument, one after another, as numbers in a row (bindings/request.h says how each is written).
import { refuse } from './errors.mjs';
import { lengthOf } from './matrices.mjs';

const utf8 = new TextEncoder();

// Below this a loop is faster than the call of `set`.
const fewCells = 32;

export class Request {
  /** Numbers, and the Float64Arrays between them. */
  #parts = [];
  #size = 0;

  number(value) {
    this.#parts.push(value);
    this.#size += 1;
    return this;
  }
  /** What may be left out. */
  optional(value) {
    return this.number(value ?? NaN);
  }
  flag(value) {
    return this.number(value ? 1 : 0);
  }
  /** A name by its place in its list. */
  name(list, name) {
    return this.number(list.indexOf(name));
  }
  numbers(values) {
    for (const value of values) this.number(value);
    return this;
  }
  list(values) {
    return this.number(values.length).numbers(values);
  }
  text(text) {
    return this.list(utf8.encode(text));
  }
  texts(texts) {
    this.number(texts.length);
    for (const text of texts) this.text(text);
    return this;
  }
  cells(data, size) {
    this.#parts.push({ data, size });
    this.#size += size;
    return this;
  }
  matrix({ rows, columns, data }) {
    return this.number(rows)
      .number(columns)
      .cells(data, rows * columns);
  }
  matrices(matrices) {
    this.number(matrices.length);
    for (const matrix of matrices) this.matrix(matrix);
    return this;
  }
  /** A matrix and a bias or null. */
  projection({ weight, bias }) {
    this.matrix(weight).flag(bias);
    return bias ? this.number(bias.length).cells(bias, bias.length) : this;
  }

  /** Writes it to the module's memory. Nothing in between may call the module: its memory could move. */
  sendTo(module) {
    const room = module.room(this.#size);
    if (room === null) refuse('tooLarge', 'There is not enough memory for the arguments; try smaller sizes.');
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === 'number') {
        room[at++] = part;
        continue;
      }
      const { data, size } = part;
      // The buffer of an array that the caller holds may have shrunk since it was read.
      if (lengthOf(data) !== size) refuse('invalidArgument', 'An array was changed while it was being read.');
      if (size > fewCells) room.set(data, at);
      else for (let i = 0; i < size; ++i) room[at + i] = data[i];
      at += size;
    }
  }
}
