// How lessons write the fillings of a gap.

/** What stands in an attribute with semicolons between. */
export function slotChoices(text: string): string[] {
  return text
    .split(';')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '');
}
