import type { ObservationType } from '../../domain/observation-type.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import type { OnceLog } from '../../domain/once-log.js';
import { peerLabel } from '../peer-label.js';
import { defineMemoryTool } from './define-memory-tool.js';
import type { MemoryTool } from './memory-tool.js';
import { toolInputSchema, type ToolInputProperty } from './tool-input-schema.js';

const CONTENT: ToolInputProperty = {
  type: 'string',
  description: 'One fact, as a full sentence that can be understood on its own later.',
  minLength: 1,
  maxLength: 10_000,
};

const TYPE: ToolInputProperty = {
  type: 'string',
  description: 'EXPLICIT: it was said so. DEDUCTIVE: it was concluded. Default DEDUCTIVE.',
  enum: ['EXPLICIT', 'DEDUCTIVE'],
  default: 'DEDUCTIVE',
};

const CONFIDENCE: ToolInputProperty = {
  type: 'number',
  description: 'How certain it is, from 0 to 1; default 0.7.',
  default: 0.7,
  minimum: 0,
  maximum: 1,
};

/** `Observe`: records one fact. What the recorder cannot keep is not offered as an input. */
export function observeTool(recorder: ObservationRecorder, { log }: { log: OnceLog }): MemoryTool {
  const { storesConfidence, storesType } = recorder;
  const inputSchema = toolInputSchema(
    {
      content: CONTENT,
      ...(storesType ? { type: TYPE } : {}),
      ...(storesConfidence ? { confidence: CONFIDENCE } : {}),
    },
    ['content'],
  );
  return defineMemoryTool({
    name: 'Observe',
    description: [
      'Records one fact about the person or system that this conversation is with, to be known in later conversations.',
      ...(storesConfidence ? [] : ['This memory does not keep a confidence.']),
      ...(storesType ? [] : ['This memory does not keep whether a fact was said or concluded.']),
    ].join(' '),
    inputSchema,
    log,
    run: async (input, { subject, observer, sessionId }, signal) => {
      // A recorder that keeps no type records everything as said.
      const type = storesType ? (input.text('type') as ObservationType) : 'EXPLICIT';
      const confidence = storesConfidence ? input.number('confidence') : undefined;
      const observation = await recorder.observe({
        ...{ subject, observer: observer(), sessionId, content: input.text('content'), type, confidence, signal },
      });
      const notes = [
        ...(storesType ? [observation.type] : []),
        ...(storesConfidence ? [`confidence ${observation.confidence.toFixed(2)}`] : []),
      ];
      const verb = observation.corroborations > 0 ? 'It was known already and counts for more now' : 'Recorded';
      const kept = `${verb}, about ${peerLabel(subject)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}:`;
      return `${kept}\n${observation.content.trim()}`;
    },
  });
}
