// Buttons and fields of exercises.

export function button(text: string, className: string, action: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = className;
  element.textContent = text;
  element.addEventListener('click', action);
  return element;
}

/** For a field that has a button of its own. No form: a frame may forbid those. */
export function onEnter(action: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    // Enter that ends the composing of a word is no answer yet.
    if (event.key === 'Enter' && !event.isComposing) action();
  };
}

export function field(label: string, className: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'text';
  input.className = className;
  input.setAttribute('aria-label', label);
  input.autocomplete = 'off';
  // Else a phone offers a key that goes on to the next field.
  input.enterKeyHint = 'done';
  // A phone's decimal keyboard has no minus sign.
  if (className === 'size') input.inputMode = 'numeric';
  return input;
}
