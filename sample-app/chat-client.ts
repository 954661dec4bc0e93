import type { AgentReply } from './agent.service.js';
import type { MemoryStatus } from './memory.controller.js';

/** Talks to the application as anybody would, over HTTP. */
export class ChatClient {
  constructor(private readonly baseUrl: string) {}

  say(sessionId: string, message: string): Promise<AgentReply> {
    return this.#ask<AgentReply>('chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId, message }),
    });
  }

  memory(): Promise<MemoryStatus> {
    return this.#ask<MemoryStatus>('memory');
  }

  async #ask<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await fetch(`${this.baseUrl}/${path}`, init);
    const answer = (await response.json()) as T & { message?: string | string[] };
    if (response.ok) return answer;
    throw new Error(`/${path} answered ${response.status}: ${[answer.message ?? 'no reason given'].flat().join(' ')}`);
  }
}
