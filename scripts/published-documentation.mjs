/** Documentation comments as data: parses them, merges two by tag, and formats them. */
import ts from 'typescript';

/**
 * @typedef {object} Documentation
 * @property {string} description
 * @property {Map<string, string[]>} tags the texts by tag; those of `@param` also by the name of the parameter
 */

/** The tags in their order. */
const ORDER = ['param', 'returns', 'throws', 'deprecated', 'default', 'since', 'see', 'example'];

/** Returns the comment before a declaration. @returns {Documentation} */
export function documentationOf(/** @type {ts.Node | undefined} */ node) {
  const comment = node && ts.getJSDocCommentsAndTags(node).findLast(part => ts.isJSDoc(part));
  const text = (comment?.getText() ?? '').replace(/^\/\*\*|\*\/$/g, '').replace(/^[ \t]*\*(?: |$)/gm, '');
  const [description = '', ...rest] = text.split(/(?:^|(?<=\n))\s*@(?=[a-z])/);
  /** @type {Map<string, string[]>} */
  const tags = new Map();
  for (const tag of rest.map(part => part.trim())) {
    const [name = ''] = /^param \S+|^\w+/.exec(tag) ?? [];
    tags.set(name, [...(tags.get(name) ?? []), tag]);
  }
  return { description: description.trim(), tags };
}

/** Returns the first one, completed by the second unless that is deprecated. @returns {Documentation} */
export function merged(/** @type {Documentation} */ own, /** @type {Documentation} */ base) {
  if (own.description === '' && own.tags.size === 0) return base;
  if (base.tags.has('deprecated')) return own;
  const tags = new Map([...base.tags, ...own.tags]);
  // A tag without text.
  for (const [name, texts] of tags) if (texts.every(text => text === name)) tags.delete(name);
  return { description: own.description || base.description, tags };
}

/** Returns the comment with a line break at its end, or an empty string if it has no text. */
export function commentOf(
  /** @type {Documentation} */ { description, tags },
  /** @type {string} */ indentation,
) {
  const place = (/** @type {string} */ name) => ORDER.indexOf(/^\w+/.exec(name)?.[0] ?? '');
  const sorted = [...tags].sort(([a], [b]) => place(a) - place(b));
  const parts = [description, ...sorted.flatMap(([, texts]) => texts.map(text => `@${text}`))];
  const lines = parts.filter(Boolean).join('\n').split('\n');
  if (lines.length > 1)
    return `${indentation}/**\n${lines.map(line => `${indentation} * ${line}`.trimEnd()).join('\n')}\n${indentation} */\n`;
  return lines[0] ? `${indentation}/** ${lines[0]} */\n` : '';
}
