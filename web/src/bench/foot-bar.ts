// On a phone the side column is in the flow, far above the figures. Its meter and the control that was touched last come along at the foot
// of the screen, for as long as the panel itself is out of sight.

/** As the stylesheet has it (meter.css): where the side column is in the flow. */
const inFlow = '(max-width: 68.74rem)';

export class FootBar {
  private readonly bar = document.createElement('div');
  private readonly dock = document.createElement('div');
  private readonly inFlow = matchMedia(inFlow);
  private seen: IntersectionObserver | undefined;

  /** undefined for a bench without a side column. */
  static of(bench: HTMLElement): FootBar | undefined {
    const side = bench.querySelector<HTMLElement>(':scope > .side');
    return side ? new FootBar(bench, side) : undefined;
  }

  private constructor(
    bench: HTMLElement,
    private readonly side: HTMLElement,
  ) {
    this.bar.className = 'bench-bar';
    this.dock.className = 'bench-dock';
    this.dock.setAttribute('role', 'group');
    this.dock.setAttribute('aria-label', 'The setting used last');
    const meter = side.querySelector('hw-difference');
    if (meter) {
      const copy = meter.cloneNode(false) as Element;
      copy.removeAttribute('id');
      copy.setAttribute('slim', '');
      // The same number is read out in the side column.
      copy.setAttribute('aria-hidden', 'true');
      this.bar.append(copy);
    }
    this.bar.append(this.dock);
    bench.append(this.bar);
    for (const event of ['focusin', 'click', 'input']) side.addEventListener(event, this.touched);
  }

  start(): void {
    this.inFlow.addEventListener('change', this.resized);
    this.seen = new IntersectionObserver((entries) => {
      this.bar.classList.toggle('beside-panel', entries.at(-1)?.isIntersecting === true);
      // The panel draws its controls after the bench was made: by now the first of them is known.
      if (this.dock.childElementCount === 0) this.resized();
    });
    this.seen.observe(this.side);
    this.resized();
  }

  stop(): void {
    this.inFlow.removeEventListener('change', this.resized);
    this.seen?.disconnect();
  }

  private readonly resized = (): void => {
    if (this.inFlow.matches) this.put(this.dock.dataset.control ?? this.controls[0]?.getAttribute('name') ?? '');
    else this.dock.replaceChildren();
  };

  private readonly touched = (event: Event): void => {
    const name = (event.target as Element).closest('hw-control')?.getAttribute('name');
    if (name) this.put(name);
  };

  private get controls(): Element[] {
    return [...this.side.querySelectorAll('hw-control')];
  }

  private put(name: string): void {
    if (name === '') return;
    const isThere = this.dock.dataset.control === name && this.dock.childElementCount > 0;
    this.dock.dataset.control = name;
    if (!this.inFlow.matches || isThere) return;
    const own = this.controls.find((control) => control.getAttribute('name') === name);
    if (!own) return;
    const copy = own.cloneNode(false) as Element;
    copy.removeAttribute('id');
    this.dock.replaceChildren(copy);
  }
}
