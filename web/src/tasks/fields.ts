// Buttons and fields of exercises.

export function button(text: string, className: string, action: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = className;
  element.textContent = text;
  element.addEventListener('click', action);
  return element;
}

export function field(label: string, className: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'text';
  input.className = className;
  input.setAttribute('aria-label', label);
  input.autocomplete = 'off';
  // A phone's decimal keyboard has no minus sign.
  if (className === 'size') input.inputMode = 'numeric';
  return input;
}
