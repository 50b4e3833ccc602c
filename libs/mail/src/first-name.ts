const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*(?:-[\p{L}\p{M}\p{N}'’]+)?\.?$/u;
const maxGreeted = 30;

/** Returns the name that mails and texts greet with, or '' if the first word is no plain name and could pass for a message. */
export function firstNameOf(name: string): string {
  const first = name.split(' ')[0] ?? name;
  return first.length <= maxGreeted && plainName.test(first) ? first : '';
}
