import { expect } from 'chai';
import { StateChain } from '../../../../src/operations/restore/state-chain.ts';

/** Changes such as `a>b`; `-` is no state. */
function chain(...texts: readonly string[]): StateChain {
  const state = (text = '-') => (text === '-' ? undefined : text);
  return new StateChain(
    texts.map((text) => {
      const [was, became] = text.split('>');
      return { was: state(was), became: state(became) };
    }),
  );
}

describe('operations/restore: chains of states', () => {
  it('know what stood before an earlier change, and not what the change itself began with', () => {
    const changes = chain('a>b', 'b>c', 'c>d');
    expect(changes.isEarlier('a', 2)).to.equal(true);
    expect(changes.isEarlier('b', 2)).to.equal(true);
    expect(changes.isEarlier('c', 2)).to.equal(false);
    expect(changes.isEarlier('d', 2)).to.equal(false);
    expect(changes.isEarlier('a', 0)).to.equal(false);
  });

  it('go on where a run was begun again', () => {
    const changes = chain('a>b', 'b>c', 'a>b', 'b>c');
    expect(changes.isEarlier('a', 1)).to.equal(true);
    expect(changes.isEarlier('a', 3)).to.equal(true);
  });

  it('know rows that were not there', () => {
    const changes = chain('->a', 'a>b', 'b>-', '->a');
    expect(changes.isEarlier(undefined, 1)).to.equal(true);
    expect(changes.isEarlier('a', 2)).to.equal(true);
  });

  it('end where somebody else has changed the thing in between', () => {
    const changes = chain('a>b', 'x>y', 'y>z');
    expect(changes.isEarlier('a', 1)).to.equal(false);
    expect(changes.isEarlier('a', 2)).to.equal(false);
    expect(changes.isEarlier('x', 2)).to.equal(true);
  });

  it('are one chain only with what came after somebody else', () => {
    const changes = chain('a>b', 'x>y', 'a>b');
    expect(changes.isEarlier('a', 2)).to.equal(false);
  });
});
