type Environment = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}?/g;
const NAMED = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** A text with its placeholders resolved, or why one cannot be, to follow the name of the setting. */
export type Resolved = { readonly text: string } | { readonly fault: string };

/**
 * Puts the environment in for `${NAME}` and `${NAME:-default}`; the default stands in for a variable that is unset or
 * empty. `$${` is a plain `${`. What is neither is refused: it would otherwise pass for a value.
 *
 * @param options.secret the text is that of a secret, so that a name in the midst of it may be a part of one, and is not shown
 */
export function resolvePlaceholders(
  text: string,
  environment: Environment,
  { secret = false }: { readonly secret?: boolean } = {},
): Resolved {
  const faults: string[] = [];
  const resolved = text.replaceAll(PLACEHOLDER, (whole: string, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const [, name, fallback] = whole.endsWith('}') ? (NAMED.exec(inside) ?? []) : [];
    if (name === undefined) {
      faults.push(
        'holds a placeholder that cannot be read; it takes ${NAME} or ${NAME:-default}, not nested. A plain ${ is written $${.',
      );
      return whole;
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (fallback !== undefined && (value === undefined || value === '')) return fallback;
    if (value === undefined) {
      faults.push(
        secret && whole !== text.trim()
          ? 'holds a placeholder whose variable is not set in the environment; set it, or give a default: ${NAME:-default}.'
          : `holds \${${name}}, but ${name} is not set in the environment; set it, or give a default: \${${name}:-default}.`,
      );
      return whole;
    }
    return value;
  });
  return faults[0] === undefined ? { text: resolved } : { fault: faults[0] };
}
