import {
  Inject,
  Injectable,
  Optional,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Observable, Subject, takeUntil } from 'rxjs';

import { requireCaller, runAsCaller, type MemoryCaller } from '../agent/caller-scope.js';
import { InvalidConfigurationError } from '../domain/errors.js';
import { MEMORY_CALLER } from './memory-tokens.js';
import { valueKind } from './settings/value-kind.js';

/**
 * Who calls in a request, read from what the application's guards have checked; `undefined` for an anonymous request.
 * What it throws fails the request.
 */
export type MemoryCallerFunction = (
  context: ExecutionContext,
) => MemoryCaller | undefined | Promise<MemoryCaller | undefined>;

/**
 * Binds the caller of a request for the time of its handler, so that in caller mode `AgentMemory.session(id)`, without a
 * principal, is the caller's, in every service that the handler calls. Pipes, asynchronous handlers, streams of events and
 * work that the handler starts see the caller; guards run before it and exception filters after it. What produces its
 * parts only when the server asks for them, such as a generator behind a `StreamableFile`, runs outside: take the session
 * in the handler, and let the generator use that.
 *
 * An anonymous request has no block, no tools and no ingestion: there `session(id)` is refused.
 */
@Injectable()
export class MemoryInterceptor implements NestInterceptor {
  readonly #callerOf: MemoryCallerFunction;

  /**
   * @param callerOf who calls; injected as `MEMORY_CALLER`
   * @throws InvalidConfigurationError when it is no function, such as where nobody provides `MEMORY_CALLER`
   */
  constructor(@Optional() @Inject(MEMORY_CALLER) callerOf: MemoryCallerFunction) {
    if (typeof callerOf !== 'function') {
      const given =
        callerOf === undefined
          ? 'MemoryInterceptor has no MEMORY_CALLER where it is used'
          : `The MEMORY_CALLER that MemoryInterceptor was given is ${valueKind(callerOf)}`;
      throw new InvalidConfigurationError([
        `${given}, so it cannot tell who calls; provide a function in the module of the controller, or in a global one, such as { provide: MEMORY_CALLER, useValue: (context) => ({ principal: Principal.user(context.switchToHttp().getRequest().user.id) }) }.`,
      ]);
    }
    this.#callerOf = callerOf;
  }

  /** @throws what the function throws, and InvalidArgumentError when it answers neither a caller nor nobody */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const caller = requireCaller('What MEMORY_CALLER answered', await this.#callerOf(context));
    return new Observable<unknown>((subscriber) => {
      // Who goes away ends the stream from outside; its own clean-up still runs for the caller.
      const gone = new Subject<void>();
      subscriber.add(() => runAsCaller(caller, () => gone.next()));
      runAsCaller(caller, () =>
        next
          .handle()
          .pipe(takeUntil(gone))
          // By its methods: a subscriber that is handed on would be cleaned up by who goes away.
          .subscribe({
            next: (value) => subscriber.next(value),
            error: (error) => subscriber.error(error),
            complete: () => subscriber.complete(),
          }),
      );
    });
  }
}
