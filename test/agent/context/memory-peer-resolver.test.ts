import { MemoryPeerResolver } from '../../../lib/agent/context/memory-peer-resolver.js';
import { PeerView } from '../../../lib/domain/peer-view.js';
import { Principal } from '../../../lib/domain/principal.js';
import { Workspace } from '../../../lib/domain/workspace.js';
import { alice, bob, ops } from '../support/peers.js';

const other = Workspace.of({ id: 'other' });

describe('the resolver of a fixed peer', () => {
  const resolver = MemoryPeerResolver.fixed(alice);

  it('answers its peer to every request that names nobody else', () => {
    expect(resolver.resolve({})).toBe(alice);
    expect(resolver.resolve({ sessionId: 'x', principal: Principal.user('alice'), workspace: ops })).toBe(alice);
  });

  it('refuses another principal, also one of another type with the same id', () => {
    expect(() => resolver.resolve({ principal: bob.principal })).toThrow(
      'The principal USER "bob" was given, but this memory is fixed to USER "alice". Leave the principal out, or set ' +
        'aimon.memory.peer-mode to "caller" for one memory per caller.',
    );
    expect(() => resolver.resolve({ principal: Principal.system('alice') })).toThrow('SYSTEM "alice"');
  });

  it('refuses another workspace', () => {
    expect(() => resolver.resolve({ workspace: other })).toThrow(
      'The workspace "other" was given, but this memory is for the workspace "ops".',
    );
  });

  it('refuses what is no principal or workspace', () => {
    expect(() => resolver.resolve({ principal: 'alice' as never })).toThrow('it takes a Principal');
    expect(() => resolver.resolve({ workspace: 'ops' as never })).toThrow('it takes a Workspace');
    expect(() => MemoryPeerResolver.fixed('alice' as never)).toThrow('it takes a PeerView');
  });
});

describe('the resolver of the caller', () => {
  it('answers the caller in the configured workspace', () => {
    const resolver = MemoryPeerResolver.caller({ workspace: ops });
    expect((resolver.resolve({ principal: bob.principal }) as PeerView).key()).toBe(bob.key());
    expect((resolver.resolve({ principal: bob.principal, workspace: ops }) as PeerView).key()).toBe(bob.key());
  });

  it('answers nobody to a call without a principal', () => {
    expect(MemoryPeerResolver.caller({ workspace: ops }).resolve({ sessionId: 'x' })).toBeUndefined();
    expect(MemoryPeerResolver.caller().resolve({ workspace: ops })).toBeUndefined();
  });

  it('takes the workspace of the call where none is configured, and answers nobody without one', () => {
    const resolver = MemoryPeerResolver.caller();
    expect(resolver.resolve({ principal: bob.principal })).toBeUndefined();
    expect((resolver.resolve({ principal: bob.principal, workspace: other }) as PeerView).workspace).toBe(other);
  });

  it('refuses a workspace other than the configured one', () => {
    const resolver = MemoryPeerResolver.caller({ workspace: ops });
    expect(() => resolver.resolve({ principal: bob.principal, workspace: other })).toThrow('"other" was given');
  });
});
