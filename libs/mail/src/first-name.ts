const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*(?:-[\p{L}\p{M}\p{N}'’]+)?\.?$/u;
const maxGreeted = 30;

/** Returns the first name for greetings, or '' if it isn't a plain name and could carry a message. */
export function firstNameOf(name: string): string {
  const first = name.split(' ')[0] ?? name;
  return first.length <= maxGreeted && plainName.test(first) ? first : '';
}
