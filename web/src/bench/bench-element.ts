// <hw-bench>: holds an experiment's state, computes it while its lesson is open, and tells the elements that show it.

import type { Explanation, Headwise } from 'headwise';
import { explain, highlightsOf } from '../figures/product/selection.ts';
import {
  changesBetween,
  formatValue,
  nextValue,
  run,
  settle,
  startValues,
  valueFor,
  withChanges,
  type Parameter,
  type Recipe,
  type State,
  type Value,
} from './parameters.ts';
import { Covers, type Asked } from './covers.ts';
import type { Highlight } from './described.ts';
import { FootBar } from './foot-bar.ts';
import { boxIn, say } from './notices.ts';
import { recipes } from './recipes/index.ts';
import { missingWords, refusalOf, type Refusal } from './refusal.ts';
import { matrixAt, type Results } from './results.ts';
import type { EngineStatus } from '../engine.ts';
import { showEngineStatus } from '../engine-status.ts';
import { host } from '../host.ts';

export interface Selection {
  readonly path: string;
  readonly row: number;
  readonly column: number;
}

/** What shows the arithmetic behind a cell. */
interface Opens extends HTMLElement {
  open(): Promise<void>;
}

interface Figure {
  readonly bench: BenchElement | undefined;
}

export type BenchNews = 'results' | 'selection' | 'state' | 'refusal' | 'engine' | 'covers' | 'added';
export type BenchListener = (news: BenchNews) => void;

export class BenchElement extends HTMLElement {
  /** false once the engine did not come: what is shown is then what the build put there. */
  canCompute = true;
  /** Present while the last state could be computed at least once; stays when the engine refuses a later one. */
  results: Results | undefined;
  /** Why the present state could not be computed. */
  error: Refusal | undefined;
  headwise: Headwise | undefined;
  selection: Selection | undefined;
  highlights: readonly Highlight[] = [];
  /** The arithmetic behind the selection; undefined where there is none. */
  explanation: Explanation | undefined;
  state: State = {};
  /** What its exercises ask for. */
  readonly covers = new Covers();

  private recipe: Recipe | undefined;
  private footBar: FootBar | undefined;
  private start: State = {};
  private readonly listeners = new Set<BenchListener>();
  private stops: (() => void)[] = [];
  private frame = 0;
  private stale = true;
  private computing = false;
  // Why parts of the results could not, found when figures read them.
  private refusals: readonly Refusal[] = [];

  connectedCallback(): void {
    if (!this.recipe) this.build();
    if (!this.recipe) return;
    this.readState();
    addEventListener('beforeprint', this.beforePrint);
    document.addEventListener('hw-cell', this.cellEntered);
    this.engineChanged(host().engine.status);
    this.stops = [
      ...(host().tellsEngineStatus ? [] : [showEngineStatus(host().engine, boxIn(this, 'bench-engine'))]),
      host().engine.onChange((status) => this.engineChanged(status)),
      host().state.onChange(this.readState),
      host().lessonOf(this).onChange(this.schedule),
      () => removeEventListener('beforeprint', this.beforePrint),
      () => document.removeEventListener('hw-cell', this.cellEntered),
    ];
    this.footBar?.start();
    this.schedule();
  }

  disconnectedCallback(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.footBar?.stop();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  // The arithmetic opens where the lesson has a place for it; in other benches it has none of its own.
  private readonly cellEntered = ({ target }: Event): void => {
    if ((target as Partial<Figure>).bench !== this || !this.explanation) return;
    let product =
      this.querySelector<Opens>('hw-product') ?? document.querySelector<Opens>(`hw-product[bench="${this.id}"]`);
    if (!product) {
      product = document.createElement('hw-product') as unknown as Opens;
      product.className = 'summoned';
      this.append(product);
    }
    void product.open();
  };

  // Once; an element that is moved in the document connects again.
  private build(): void {
    const name = this.getAttribute('recipe') ?? '';
    this.recipe = recipes.get(name);
    if (!this.recipe) {
      say(this, 'bench-notice', [`There is no recipe “${name}”; it can be ${[...recipes.keys()].join(', ')}.`]);
      return;
    }
    this.start = startValues(this.recipe, (name) => this.getAttribute(name));
    this.state = this.start;
    this.footBar = FootBar.of(this);
  }

  /** Called at once after each change; draw in a microtask or later. Returns the function that stops it. */
  listen(listener: BenchListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get parameters(): readonly Parameter[] {
    return this.recipe?.parameters ?? [];
  }

  parameter(name: string): Parameter | undefined {
    return this.parameters.find((parameter) => parameter.name === name);
  }

  get changed(): boolean {
    return this.recipe !== undefined && changesBetween(this.recipe, this.start, this.state).size > 0;
  }

  /** Texts are read as the address would spell them. */
  set(name: string, value: Value): void {
    this.setAll({ [name]: value });
  }

  setAll(values: Readonly<Record<string, Value>>): void {
    if (!this.recipe) return;
    let next: Record<string, Value> = { ...this.state };
    for (const [name, value] of Object.entries(values)) {
      const parameter = this.parameter(name);
      const read = parameter && valueFor(parameter, value);
      if (read !== undefined) next[name] = read;
    }
    if (this.headwise) next = { ...settle(this.recipe, this.headwise, next) };
    this.adopt(next);
    this.writeState();
  }

  /** Counts a number up, from the last to the first. */
  advance(name: string): void {
    const parameter = this.parameter(name);
    if (parameter) this.set(name, nextValue(parameter, this.headwise, this.state));
  }

  reset(): void {
    this.adopt(this.start);
    this.writeState();
  }

  /** What can be read in the results; undefined without any, and where the engine refuses to compute it, which the bench then says. */
  read<Found>(find: (results: Results) => Found): Found | undefined {
    if (!this.results) return undefined;
    try {
      return find(this.results);
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
  }

  /** Says why something of the present results could not be computed. */
  refuse(error: unknown): void {
    const refusal = this.refusalOf(error);
    if (this.sentences.includes(refusal.message)) return;
    this.refusals = [...this.refusals, refusal];
    say(this, 'bench-notice', this.sentences);
    this.tell('refusal');
  }

  /** What the engine has against the value of a parameter. */
  objectionTo(name: string): string | undefined {
    return this.allRefusals.find(({ parameter }) => parameter === name)?.message;
  }

  /** Joins to the results what a figure has from elsewhere, as the film from its worker; exercises may ask for it. */
  add(part: Readonly<Record<string, unknown>>): void {
    if (!this.results) return;
    Object.assign(this.results, part);
    this.tell('added');
  }

  /** Keeps what an exercise asks for from the figures; undefined shows it again. */
  cover(exercise: object, asked: Asked | undefined): void {
    if (!this.covers.set(exercise, asked)) return;
    this.light();
    this.tell('covers');
  }

  /** Lights a cell and what made it. */
  select(selection: Selection | undefined): void {
    const same =
      selection?.path === this.selection?.path &&
      selection?.row === this.selection?.row &&
      selection?.column === this.selection?.column;
    if (same) return;
    this.selection = selection;
    this.light();
    this.tell('selection');
  }

  // While it is tried again, nothing has changed yet.
  private engineChanged({ state }: EngineStatus): void {
    const canCompute = state === 'ready' || (state !== 'failed' && this.canCompute);
    if (canCompute === this.canCompute) return;
    this.canCompute = canCompute;
    this.tell('engine');
  }

  private readonly beforePrint = (): void => {
    if (this.stale) this.compute();
  };

  // Without an id benches cannot be told apart, and their state is their own.
  private readonly readState = (): void => {
    if (!this.recipe || this.id === '') return;
    const next = withChanges(this.recipe, this.start, host().state.read(this.id));
    if (changesBetween(this.recipe, this.state, next).size > 0) this.adopt(next);
  };

  private writeState(): void {
    if (!this.recipe || this.id === '') return;
    host().state.write(this.id, changesBetween(this.recipe, this.start, this.state));
  }

  private adopt(state: State): void {
    this.state = state;
    this.stale = true;
    this.tell('state');
    this.schedule();
  }

  // Whether the lesson is open is asked in the frame: at the start of the page the router has yet to close the others.
  private readonly schedule = (): void => {
    if (this.frame !== 0 || !this.stale || !this.isConnected) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!host().lessonOf(this).isOpen) return;
      if (host().engine.status.state === 'ready') this.compute();
      else void host().engine.load().then(this.schedule);
    });
  };

  private compute(): void {
    const { status } = host().engine;
    if (status.state === 'ready') this.headwise = status.headwise;
    if (!this.headwise || !this.recipe || this.computing) return;
    this.computing = true;
    this.stale = false;
    this.refusals = [];
    try {
      this.state = settle(this.recipe, this.headwise, this.state);
      this.error = missingWords(this.recipe.parameters, this.state);
      if (!this.error) {
        const results = run(this.recipe, this.headwise, this.state);
        for (const layer of this.results?.layers ?? []) layer.dispose();
        this.results = results;
      }
    } catch (error) {
      this.error = this.refusalOf(error);
    }
    this.computing = false;
    this.classList.toggle('stale', this.error !== undefined);
    say(this, 'bench-notice', this.sentences);
    say(this, 'bench-note', this.error ? [] : (this.results?.notes ?? []));
    this.light();
    this.tell('results');
    this.dispatchEvent(new CustomEvent('hw-results', { bubbles: true }));
  }

  private get allRefusals(): readonly Refusal[] {
    return this.error ? [this.error, ...this.refusals] : this.refusals;
  }

  private get sentences(): readonly string[] {
    return this.allRefusals.map(({ message }) => message);
  }

  private refusalOf(error: unknown): Refusal {
    const refusal = refusalOf(error, this.parameters);
    if (refusal) return refusal;
    // Not the engine's word but a fault of the page: it has to be found.
    queueMicrotask(() => {
      throw error;
    });
    return { message: 'Something went wrong in this page, and not all of this could be computed.' };
  }

  private light(): void {
    const { selection, results, headwise, recipe } = this;
    this.highlights = [];
    this.explanation = undefined;
    const matrix = selection && this.read((results) => matrixAt(results, selection.path));
    if (!selection || !matrix || !results || !headwise || !recipe) return;
    const { row, column } = selection;
    if (row >= matrix.rows || column >= matrix.columns) {
      // The cell is gone since the shapes changed.
      this.selection = undefined;
      return;
    }
    this.explanation = explain(matrix, row, column);
    const lit = highlightsOf(headwise, recipe, results, matrix, row, column, this.explanation);
    const isLinked = ({ id }: Highlight) =>
      id === matrix.id || !(this.covers.isUnlinked(id) || this.covers.isUnlinked(matrix.id));
    this.highlights = lit.filter(isLinked);
  }

  private tell(news: BenchNews): void {
    for (const listener of [...this.listeners]) listener(news);
  }

  /** A value as the address spells it. */
  valueText(name: string): string {
    const parameter = this.parameter(name);
    const value = this.state[name];
    return parameter && value !== undefined ? formatValue(parameter, value) : '';
  }
}
