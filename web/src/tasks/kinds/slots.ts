// kind="slots": gaps in a text, each to be filled from a list.

import { slotChoices } from '../slot-choices.ts';
import type { Grade } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

/** A gap: choices="d; d/M; d_h/M" answer="d". */
export class SlotElement extends HTMLElement {}

export const slotsKind: ExerciseKind = ({ own }) => {
  const slots = own('hw-slot').map((slot, index) => {
    const select = document.createElement('select');
    select.setAttribute('aria-label', `Gap ${index + 1}`);
    select.append(
      new Option('…', ''),
      ...slotChoices(slot.getAttribute('choices') ?? '').map((choice) => new Option(choice)),
    );
    slot.replaceChildren(select);
    select.addEventListener('change', () => unmark());
    return { select, answer: slot.getAttribute('answer') ?? '' };
  });
  const filled = () => slots.map(({ select }) => select.value);
  const unmark = () => {
    for (const { select } of slots) select.removeAttribute('aria-invalid');
  };
  return {
    fields: [],
    needsCheck: true,
    unreadable: 'Fill every gap first.',
    grade(): Grade {
      if (filled().includes('')) return 'unreadable';
      return slots.every(({ select, answer }) => select.value === answer) ? 'right' : 'wrong';
    },
    fits: (_, feedback) => {
      const slip = slotChoices(feedback.getAttribute('when') ?? '');
      // A slip may leave gaps open: "…; d".
      return slip.length > 0 && slip.every((choice, at) => choice === '…' || choice === filled()[at]);
    },
    text: () => slots.map(({ answer }) => answer).join(', '),
    key: () => '',
    mark() {
      unmark();
      for (const { select, answer } of slots) if (select.value !== answer) select.setAttribute('aria-invalid', 'true');
    },
    clear() {
      unmark();
      for (const { select } of slots) select.value = '';
    },
    focus: () => slots[0]?.select.focus(),
  };
};
