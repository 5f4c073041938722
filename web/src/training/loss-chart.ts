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
  private step = 0;

  constructor(private readonly host: HTMLElement) {}

  /** With a line at the step that is looked at, and a dot on each curve. */
  draw(curves: readonly Curve[], step: number): void {
    const isNew = step !== this.step;
    this.curves = curves;
    this.step = step;
    if (this.plot) this.refresh(this.plot, isNew);
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
      this.plot = new Plot(options(this.host, this.drawPlace), dataOf(this.curves), this.host);
    } else {
      this.say('This browser does not let the chart be drawn.');
    }
  }

  private say(what: string): void {
    this.host.textContent = `${what} The tables below hold its numbers.`;
  }

  private refresh(plot: uPlot, isNew: boolean): void {
    const width = widthOf(this.host);
    if (plot.width !== width) plot.setSize({ width, height });
    const data = dataOf(this.curves);
    if (data[0].length !== plot.data[0].length || data.some((losses, run) => losses.at(-1) !== plot.data[run]?.at(-1)))
      plot.setData(data);
    else if (isNew) plot.redraw(false);
  }

  private readonly drawPlace = (plot: uPlot): void => {
    const { ctx, bbox } = plot;
    const style = getComputedStyle(this.host);
    const x = Math.round(plot.valToPos(this.step, 'x', true));
    ctx.save();
    ctx.setLineDash([]);
    ctx.strokeStyle = ctx.fillStyle = style.getPropertyValue('--ink');
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const steps = plot.data[0];
    const place = steps.findLastIndex((step) => step <= this.step);
    runs.forEach((_, run) => {
      const loss = plot.data[run + 1]?.[place];
      if (typeof loss !== 'number') return;
      ctx.fillStyle = style.getPropertyValue(`--run-${run + 1}`);
      ctx.beginPath();
      ctx.arc(plot.valToPos(steps[place]!, 'x', true), plot.valToPos(loss, 'y', true), 5 * devicePixelRatio, 0, 7);
      ctx.fill();
    });
    ctx.restore();
  };
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

function options(host: HTMLElement, drawPlace: (plot: uPlot) => void): uPlot.Options {
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
    hooks: { draw: [drawPlace] },
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
