// Tells something to a screen reader without moving the focus.

export function announce(text: string): void {
  const region = document.getElementById('announcement');
  if (!region) return;
  region.textContent = '';
  // The same sentence twice is only read twice if the region was empty in between.
  setTimeout(() => (region.textContent = text), 50);
}
