// What of a link has no effect where it leads, with the nearest that has: anyone can write an address, and a teacher's slip reaches a class.

import { nearestName } from 'headwise';
import { readEdits } from '../bench/edits.ts';
import { formatValue, parseValue, type Parameter } from '../bench/parameters.ts';
import { shortened } from '../text/letters.ts';
import type { HashLocation } from './hash.ts';

/** What a lesson has that an address can name. */
export interface Addressable {
  /** Parameters by id of the bench. */
  readonly benches: ReadonlyMap<string, readonly Parameter[]>;
  readonly controls: readonly string[];
}

export interface LinkFault {
  readonly written: string;
  /** The nearest thing that would have had an effect, or what a number out of bounds was taken for. */
  readonly nearest?: string;
}

const mostNamed = 3;
/** Letters of what the link says that are repeated. */
export const longest = 40;

/** The nearest is looked for only where it will be named: an address may hold thousands. */
interface Suspicion {
  readonly written: string;
  readonly nearest?: () => string | null | undefined;
}

function valueFaults(place: string, parameter: Parameter, text: string): Suspicion[] {
  if (parameter.kind === 'edits') {
    return readEdits(text).wrong.map((part) => ({ written: `${place}=${part}` }));
  }
  const value = parseValue(parameter, text);
  if (value === undefined) {
    const nearest = (): string | null => {
      const meant = nearestName(text, parameter.choices?.map((choice) => choice.value) ?? []);
      return meant && `${place}=${meant}`;
    };
    return [{ written: `${place}=${text}`, nearest }];
  }
  const isMoved = typeof value === 'number' && value !== Number(text);
  return isMoved ? [{ written: `${place}=${text}`, nearest: () => `${place}=${formatValue(parameter, value)}` }] : [];
}

function suspicions({ benches, hidden, unread }: HashLocation, here: Addressable): Suspicion[] {
  const ids = [...here.benches.keys()];
  const places = [...here.benches].flatMap(([id, parameters]) => parameters.map(({ name }) => `${id}.${name}`));
  const faults: Suspicion[] = unread.map((part) => {
    const name = part.split('=')[0] ?? '';
    const nearest = (): string | null | undefined =>
      places.find((place) => place.endsWith(`.${name}`)) ?? nearestName(name, ['hide', ...places]);
    return { written: part, nearest };
  });
  for (const [id, values] of benches) {
    const parameters = here.benches.get(id);
    for (const [name, text] of values) {
      const written = `${id}.${name}`;
      const parameter = parameters?.find((parameter) => parameter.name === name);
      if (parameter) {
        faults.push(...valueFaults(written, parameter, text));
      } else if (parameters) {
        const names = parameters.map(({ name }) => name);
        faults.push({ written, nearest: () => prefixed(`${id}.`, nearestName(name, names)) });
      } else {
        const nearest = (): string | null => {
          const meant = nearestName(id, ids);
          return meant && `${meant}.${name}`;
        };
        faults.push({ written, nearest });
      }
    }
  }
  const names = [...new Set(['bar', ...here.controls])];
  for (const name of hidden) {
    if (!names.includes(name))
      faults.push({ written: `hide=${name}`, nearest: () => prefixed('hide=', nearestName(name, names)) });
  }
  return faults;
}

function prefixed(before: string, name: string | null): string | null {
  return name && before + name;
}

export function linkFaults(location: HashLocation, here: Addressable): LinkFault[] {
  return suspicions(location, here).map(({ written, nearest }, index) => {
    const meant = index < mostNamed ? nearest?.() : undefined;
    return meant ? { written, nearest: meant } : { written };
  });
}

/** '' if all of the link could be read. */
export function linkNotice(faults: readonly LinkFault[]): string {
  if (faults.length === 0) return '';
  const named = faults.slice(0, mostNamed).map(({ written, nearest }) => {
    const quoted = `“${shortened(written, longest)}”`;
    return nearest ? `${quoted} (nearest: “${shortened(nearest, longest)}”)` : quoted;
  });
  const rest = faults.length - named.length;
  return `Not all of this link means something here: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
