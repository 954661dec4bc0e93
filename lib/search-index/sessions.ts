import { Neighbours, SessionOrder } from './session-order.js';

interface Session {
  readonly id: string | undefined;
  readonly order: SessionOrder;
}

/** The sessions of a subject's facts, each by a small number. A fact without one is a session of its own. */
export class Sessions {
  readonly neighbours = new Neighbours();
  readonly #byId = new Map<string, number>();
  readonly #sessions: (Session | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #compare: (a: number, b: number) => number;

  /** `compare` puts the facts of a session in the order in which they were said; total. */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  /** How many sessions hold a fact. */
  get count(): number {
    return this.#sessions.length - this.#free.length;
  }

  /** Above the greatest number of a session. */
  get capacity(): number {
    return this.#sessions.length;
  }

  numberOf(id: string): number | undefined {
    return this.#byId.get(id);
  }

  /** Puts a fact into its session; answers the session's number. */
  add(fact: number, id: string | undefined): number {
    const number = (id === undefined ? undefined : this.#byId.get(id)) ?? this.#open(id);
    this.#sessions[number]?.order.add(fact);
    return number;
  }

  remove(fact: number, number: number): void {
    const session = this.#sessions[number];
    if (session === undefined) return;
    session.order.remove(fact);
    if (session.order.size > 0) return;
    if (session.id !== undefined) this.#byId.delete(session.id);
    this.#sessions[number] = undefined;
    this.#free.push(number);
  }

  #open(id: string | undefined): number {
    const number = this.#free.pop() ?? this.#sessions.length;
    this.#sessions[number] = { id, order: new SessionOrder(this.#compare, this.neighbours) };
    if (id !== undefined) this.#byId.set(id, number);
    return number;
  }
}
