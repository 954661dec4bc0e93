import {
  Degradations,
  IngestOutcomes,
  InjectPeerMemory,
  memoryCapabilities,
  type Degradation,
  type IngestCounts,
  type MemoryCapability,
  type PeerMemory,
} from '@aimon/nestjs-memory';
import { Controller, Get, Inject } from '@nestjs/common';

import { CHAT_MODEL, type ChatModel } from './chat-model.js';

/** What `GET /memory` answers. */
export interface MemoryStatus {
  readonly backend: string;
  readonly model: string;
  readonly capabilities: readonly MemoryCapability[];
  readonly degradations: readonly Degradation[];
  /** What became of the messages so far, and how many still wait. */
  readonly outcomes: IngestCounts & { readonly pending: number };
}

/** `GET /memory` tells what the memory can do, what it cannot, and what became of the messages. */
@Controller('memory')
export class MemoryController {
  constructor(
    @InjectPeerMemory() private readonly memory: PeerMemory,
    private readonly degradations: Degradations,
    private readonly outcomes: IngestOutcomes,
    @Inject(CHAT_MODEL) private readonly model: ChatModel,
  ) {}

  @Get()
  status(): MemoryStatus {
    return {
      backend: this.memory.backendId,
      model: this.model.label,
      capabilities: [...memoryCapabilities(this.memory)],
      degradations: this.degradations.all(),
      outcomes: { ...this.outcomes.counts(), pending: this.outcomes.pending },
    };
  }
}
