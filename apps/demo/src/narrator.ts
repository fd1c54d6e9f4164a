import pc from 'picocolors';

/** Tells the demo's story on a terminal: the actors, their actions, and the outcome. */
export class Narrator {
  #scene = 0;

  scene(title: string): void {
    this.#scene += 1;
    this.#line('');
    this.#line(pc.bold(pc.cyan(`${String(this.#scene)}. ${title}`)));
  }

  /** Somebody does something. */
  act(who: string, what: string): void {
    this.#line(`   ${pc.bold(who.padEnd(11))} ${what}`);
  }

  /** It went as it should: allowed. */
  yes(text: string): void {
    this.#line(`   ${' '.repeat(11)} ${pc.green('✓')} ${text}`);
  }

  /** It went as it should: refused. */
  no(text: string): void {
    this.#line(`   ${' '.repeat(11)} ${pc.red('✗')} ${text}`);
  }

  say(text: string): void {
    this.#line(`   ${' '.repeat(11)} ${text}`);
  }

  aside(text: string): void {
    this.#line(`   ${' '.repeat(11)} ${pc.dim(text)}`);
  }

  /**
   * Work that may take a while: a line appears when it takes more than a second, and again every five.
   *
   * @param progress the text to add to the line, read each time.
   */
  async during<T>(what: string, work: Promise<T>, progress: () => string = () => ''): Promise<T> {
    const started = performance.now();
    let shownAt = 0;
    const timer = setInterval(() => {
      const seconds = Math.floor((performance.now() - started) / 1_000);
      if (seconds >= 1 && (shownAt === 0 || seconds - shownAt >= 10)) {
        shownAt = seconds;
        const more = progress();
        this.aside(`… ${what} (${String(seconds)} s${more === '' ? '' : `, ${more}`})`);
      }
    }, 250);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  #line(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}
