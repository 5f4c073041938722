// The losses of all runs on one chart, by uPlot, which is fetched with the lesson that needs it.

import type uPlot from 'uplot';
import { significant } from '../text/format.ts';
import { lastStep, runs } from './runs.ts';
import type { Curve } from './session.ts';

const height = 280;
/** Losses from the untrained layer's to that of two trained heads. */
const lossRange: [number, number] = [1e-5, 3];
// uPlot.Scale.Distr.Logarithmic: a const enum, which is not there at run time.
const logarithmic = 3 as unknown as uPlot.Scale.Distr.Logarithmic;

export class LossChart {
  private plot: uPlot | undefined;
  private loading: Promise<void> | undefined;
  private isGone = false;
  private curves: readonly Curve[] = [];

  constructor(private readonly host: HTMLElement) {}

  draw(curves: readonly Curve[]): void {
    this.curves = curves;
    if (this.plot) this.refresh(this.plot);
    else this.loading ??= this.create();
  }

  /** For another theme: colours are read when drawn. */
  redraw(): void {
    this.plot?.redraw();
  }

  /** For good, also while it is still being fetched. */
  destroy(): void {
    this.isGone = true;
    this.plot?.destroy();
    this.plot = undefined;
  }

  private async create(): Promise<void> {
    const Plot = await fetchPlot().catch(() => undefined);
    if (this.isGone) return;
    if (!Plot) {
      this.say('The chart could not be fetched.');
      return;
    }
    // Without a context uPlot fails only later, where nobody hears of it.
    if (document.createElement('canvas').getContext('2d')) {
      this.plot = new Plot(options(this.host), dataOf(this.curves), this.host);
    } else {
      this.say('This browser does not let the chart be drawn.');
    }
  }

  private say(what: string): void {
    this.host.textContent = `${what} The tables below hold its numbers.`;
  }

  private refresh(plot: uPlot): void {
    const width = widthOf(this.host);
    if (plot.width !== width) plot.setSize({ width, height });
    plot.setData(dataOf(this.curves));
  }
}

/** uPlot asks Intl for numbers in the browser's language when it starts, and some browsers name one that Intl refuses ("C"). */
async function fetchPlot(): Promise<typeof uPlot> {
  const refused = !isLanguage(navigator.language);
  if (refused) Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  try {
    const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
    return Plot;
  } finally {
    if (refused) Reflect.deleteProperty(navigator, 'language');
  }
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

function widthOf(host: HTMLElement): number {
  return Math.max(240, Math.floor(host.clientWidth));
}

function dataOf(curves: readonly Curve[]): uPlot.AlignedData {
  const first = curves[0]?.evaluations ?? [];
  return [
    first.map(({ step }) => step),
    ...curves.map(({ evaluations }) => evaluations.map(({ loss }) => loss)),
    first.map(({ oneHeadBound }) => oneHeadBound),
  ];
}

function options(host: HTMLElement): uPlot.Options {
  const style = getComputedStyle(host); // live: a later theme is seen
  const colour = (name: string) => () => style.getPropertyValue(name);
  const axis: uPlot.Axis = {
    stroke: colour('--ink-soft'),
    font: `12px ${style.getPropertyValue('--sans')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  return {
    width: widthOf(host),
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [0, lastStep] }, y: { distr: logarithmic, range: lossRange } },
    axes: [
      { ...axis, label: 'steps', labelFont: axis.font!, labelSize: 18 },
      // uPlot leaves out, as null, what has no room.
      {
        ...axis,
        size: 52,
        values: (_, values: (number | null)[]) => values.map((value) => (value === null ? '' : significant(value, 1))),
      },
    ],
    series: [
      {},
      ...runs.map(({ label, dash }, run) => ({
        label,
        stroke: colour(`--run-${run + 1}`),
        width: 2,
        dash: [...dash],
        points: { show: false },
      })),
      { label: 'bound', stroke: colour('--ink'), width: 2, dash: [2, 4], points: { show: false } },
    ],
  };
}
