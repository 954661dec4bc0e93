import fc from 'fast-check';
import { resolvePlaceholders } from '../../../lib/nest/settings/placeholders.js';

const ENVIRONMENT = { NAME: 'mina', EMPTY: '', DOLLAR: '${NAME}' };

describe('a placeholder', () => {
  it.each([
    ['${NAME}', 'mina'],
    ['to ${NAME} and ${NAME}.', 'to mina and mina.'],
    ['${NAME:-kim}', 'mina'],
    ['${UNSET:-kim}', 'kim'],
    ['${EMPTY:-kim}', 'kim'],
    ['${EMPTY}', ''],
    ['${UNSET:-}', ''],
    ['${UNSET:-http://localhost:8000/v1}', 'http://localhost:8000/v1'],
    ['${UNSET:-민아}', '민아'],
    // What a variable holds is its own affair.
    ['${DOLLAR}', '${NAME}'],
    ['$${NAME}', '${NAME}'],
    ['costs $5', 'costs $5'],
    ['{NAME} $NAME }', '{NAME} $NAME }'],
  ])('%s is %j', (text, resolved) => {
    expect(resolvePlaceholders(text, ENVIRONMENT)).toEqual({ text: resolved });
  });

  it.each(['${UNSET}', 'a ${UNSET} b'])('%s is refused, since nothing was put in', (text) => {
    expect(resolvePlaceholders(text, ENVIRONMENT)).toEqual({
      fault: 'holds ${UNSET}, but UNSET is not set in the environment; set it, or give a default: ${UNSET:-default}.',
    });
  });

  it.each(['${NAME', '${}', '${NAME:kim}', '${NAME-kim}', '${ NAME }', '${UNSET:-${NAME}}', '${1NAME}'])(
    '%s is refused, since it would pass for a value',
    (text) => {
      expect(resolvePlaceholders(text, ENVIRONMENT)).toEqual({
        fault:
          'holds a placeholder that cannot be read; it takes ${NAME} or ${NAME:-default}, not nested. A plain ${ is written $${.',
      });
    },
  );

  it('never passes for a value: what is left holds ${ only where it was written $${, or a variable holds it', () => {
    const piece = fc.constantFrom('${', '$${', '}', '$', '{', 'NAME', 'UNSET', ':-', ' ', 'é', '민');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        (text) => {
          const result = resolvePlaceholders(text, ENVIRONMENT);
          if ('fault' in result) return;
          const escaped = text.split('$${').length - 1;
          expect(result.text.split('${').length - 1).toBeLessThanOrEqual(escaped);
        },
      ),
    );
  });
});
