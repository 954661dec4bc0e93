import {
  type Observation,
  PEER_MEMORY,
  type PeerMemory,
  PeerView,
  Principal,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';

const SECRET = ['Winter', 'Harbour', '4471'].join('-');

it.each([
  ['default', `The passwrod: ${SECRET}.`],
  ['strict', 'The passwrod: [REDACTED:SECRET].'],
] as const)('redaction = %s keeps %j', async (redaction, kept) => {
  const app = await boot({ backend: 'in-memory', workspaceId: 'ops', peerId: 'mina', redaction });
  const subject = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('mina'));
  const recorder = requireTier(app.get<PeerMemory>(PEER_MEMORY), 'OBSERVE');
  const { content }: Observation = await recorder.observe({
    subject,
    content: `The passwrod: ${SECRET}.`,
    type: 'EXPLICIT',
  });
  expect(content).toBe(kept);
  await app.close();
});
