import {
  type DialecticEngine,
  type DialecticQuery,
  type DialecticResponse,
  type DialecticSink,
  type MemorySearcher,
} from '../../../lib/index.js';

/** Answers a question with the facts that a search for it finds. */
export class SearchingDialecticEngine implements DialecticEngine {
  constructor(private readonly searcher: MemorySearcher) {}

  async query({ subject, question, signal }: DialecticQuery): Promise<DialecticResponse> {
    const hits = await this.searcher.search({ subject, query: question, topK: 5, signal });
    const found = hits.map(({ observation }) => observation.content);
    return {
      answer: found.length === 0 ? 'I do not know.' : `What is known: ${found.join(' ')}`,
      observationsConsidered: hits.map(({ observation }) => observation.id),
      tokenUsage: { inputTokens: question.length, outputTokens: found.join('').length },
      toolCalls: 1,
    };
  }

  async queryStream(query: DialecticQuery, sink: DialecticSink): Promise<DialecticResponse> {
    const response = await this.query(query);
    for (const piece of response.answer.split(/(?<= )/)) await sink(piece);
    return response;
  }
}
