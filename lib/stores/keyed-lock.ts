/** Runs tasks of one key one after the other, in the order in which they came; those of different keys side by side. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Settles as `task` does. A task that fails does not hold up the next. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const work = before === undefined ? task() : before.then(task);
    const tail = work.then(ignore, ignore);
    this.#tails.set(key, tail);
    try {
      return await work;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

const ignore = (): void => undefined;
