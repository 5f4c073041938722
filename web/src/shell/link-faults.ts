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

function fault(written: string, nearest: string | null | undefined): LinkFault {
  return nearest ? { written, nearest } : { written };
}

function valueFaults(place: string, parameter: Parameter, text: string): LinkFault[] {
  if (parameter.kind === 'edits') {
    return readEdits(text).wrong.map((part) => ({ written: `${place}=${part}` }));
  }
  const value = parseValue(parameter, text);
  if (value === undefined) {
    const meant = nearestName(text, parameter.choices?.map((choice) => choice.value) ?? []);
    return [fault(`${place}=${text}`, meant && `${place}=${meant}`)];
  }
  const isMoved = typeof value === 'number' && value !== Number(text);
  return isMoved ? [fault(`${place}=${text}`, `${place}=${formatValue(parameter, value)}`)] : [];
}

export function linkFaults({ benches, hidden, unread }: HashLocation, here: Addressable): LinkFault[] {
  const ids = [...here.benches.keys()];
  const places = [...here.benches].flatMap(([id, parameters]) => parameters.map(({ name }) => `${id}.${name}`));
  const faults: LinkFault[] = unread.map((part) => {
    const name = part.split('=')[0] ?? '';
    return fault(part, places.find((place) => place.endsWith(`.${name}`)) ?? nearestName(name, ['hide', ...places]));
  });
  for (const [id, values] of benches) {
    const parameters = here.benches.get(id);
    for (const [name, text] of values) {
      const place = `${id}.${name}`;
      const parameter = parameters?.find((parameter) => parameter.name === name);
      if (parameter) {
        faults.push(...valueFaults(place, parameter, text));
      } else if (parameters) {
        const meant = nearestName(
          name,
          parameters.map(({ name }) => name),
        );
        faults.push(fault(place, meant && `${id}.${meant}`));
      } else {
        const meant = nearestName(id, ids);
        faults.push(fault(place, meant && `${meant}.${name}`));
      }
    }
  }
  const names = [...new Set(['bar', ...here.controls])];
  for (const name of hidden) {
    const meant = nearestName(name, names);
    if (!names.includes(name)) faults.push(fault(`hide=${name}`, meant && `hide=${meant}`));
  }
  return faults;
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
