import type { MemoryLogger } from '../../../lib/domain/memory-logger.js';

/** Keeps what is written. */
export class RecordingLogger implements MemoryLogger {
  readonly lines: string[] = [];

  log(message: string): void {
    this.lines.push(message);
  }

  warn(message: string): void {
    this.lines.push(message);
  }

  error(message: string): void {
    this.lines.push(message);
  }
}
