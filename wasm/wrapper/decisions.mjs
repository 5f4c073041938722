// What `forward` lets one decide: checked by the module's own list of names and values.
import { readScale } from './case.mjs';
import { checkBoolean, checkNumber, checkObject, checkOneOf } from './checks.mjs';
import { checkCaseKeys } from './foreign-words.mjs';
import { writeScale } from './packing.mjs';

export function writeDecisions(request, { lists }, decisions) {
  checkObject('decisions', decisions, 'an object: { scale?, wideProjections?, … }');
  const names = lists.decisions.map(({ name }) => name);
  checkCaseKeys('decisions', decisions, names);
  for (const { name, values } of lists.decisions) {
    const given = decisions[name];
    const path = `decisions.${name}`;
    if (values === 'scale') {
      request.flag(given !== undefined);
      if (given !== undefined) writeScale(request, lists, readScale(path, given, lists.scales));
    } else if (given === undefined) request.optional();
    else if (values === 'flag') request.flag(checkBoolean(path, given));
    else if (values === 'number') request.number(checkNumber(path, given));
    else request.name(values, checkOneOf(path, given, values));
  }
  return request;
}
