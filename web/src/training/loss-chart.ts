// The losses of all runs on one chart, by uPlot, which is fetched with the lesson that needs it.

import type uPlot from 'uplot';
import { significant } from '../bench/format.ts';
import { lastStep, runs } from './runs.ts';
import type { Curve } from './session.ts';

/** Told apart by dashes and, in the table, by name; colours help. */
const dashes: readonly number[][] = [[], [], [8, 4], [2, 3], [10, 3, 2, 3]];
const colours = ['--run-1', '--run-2', '--run-3', '--run-4', '--run-5'];

const height = 280;
// uPlot.Scale.Distr.Logarithmic: a const enum, which is not there at run time.
const Logarithmic = 3 as unknown as uPlot.Scale.Distr.Logarithmic;

export class LossChart {
  private plot: uPlot | undefined;
  private theme = '';
  private drawing = false;

  constructor(private readonly host: HTMLElement) {}

  async draw(curves: readonly Curve[]): Promise<void> {
    if (this.drawing) return;
    this.drawing = true;
    const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
    this.drawing = false;
    if (!this.host.isConnected) return;
    const style = getComputedStyle(this.host);
    const theme = style.getPropertyValue('--ink');
    const width = Math.max(240, Math.round(this.host.clientWidth));
    if (this.plot && theme !== this.theme) this.destroy();
    this.theme = theme;
    this.plot ??= new Plot(options(style, width), [[], ...runs.map(() => []), []], this.host);
    if (this.plot.width !== width) this.plot.setSize({ width, height });
    this.plot.setData(dataOf(curves));
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = undefined;
  }
}

function dataOf(curves: readonly Curve[]): uPlot.AlignedData {
  const steps = curves[0]?.evaluations.map(({ step }) => step) ?? [];
  const bound = curves[0]?.evaluations.map(({ oneHeadBound }) => oneHeadBound) ?? [];
  return [steps, ...curves.map(({ evaluations }) => evaluations.map(({ loss }) => loss)), bound] as uPlot.AlignedData;
}

function options(style: CSSStyleDeclaration, width: number): uPlot.Options {
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--ink-soft'),
    font: `12px ${style.getPropertyValue('--sans')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: () => [0, lastStep] }, y: { distr: Logarithmic, range: () => [1e-4, 3] } },
    axes: [
      { ...axis, label: 'steps', labelFont: axis.font, labelSize: 18 },
      { ...axis, size: 56, values: (_, values) => values.map((value) => significant(value, 1)) },
    ],
    series: [
      {},
      ...runs.map(({ label }, run) => ({
        label,
        stroke: colour(colours[run] ?? '--ink'),
        width: 2,
        dash: dashes[run] ?? [],
        points: { show: false },
      })),
      { label: 'bound', stroke: colour('--ink'), width: 1, dash: [1, 3], points: { show: false } },
    ],
  };
}
