import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from '@swc/core';

type Node = { readonly type?: string } & Record<string, unknown>;

const skipped = new Set(['node_modules', 'dist', '.git', '.build', 'data']);

/** Every file of tests below `folder` (suites that several test files run are tests too), as paths relative to `root`. */
export function testFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : testFiles(root, path);
    return /\.(test|suite)\.ts$/.test(entry.name) ? [relative('.', path)] : [];
  });
}

export const titlesIn = (root: string, file: string) => titlesOf(readFileSync(join(root, file), 'utf8'));

/**
 * The titles of the tests and groups in a source: the first argument of `test`, `it`, `describe`, and of their `each`, whose table's texts are part of the title where
 * it has a place for them. Read from the syntax tree, so that neither comments nor expectations nor skipped tests count.
 */
export function titlesOf(source: string): string[] {
  const titles: string[] = [];
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }) as unknown as Node, (node) => {
    if (node.type !== 'CallExpression') return;
    const callee = node.callee as Node;
    const [title] = textsOf(firstArgument(node));
    if (title === undefined) return;
    if (isTestName(callee)) titles.push(title);
    else if (isEach(callee)) titles.push(title, ...(/[%$]/.test(title) ? textsOf(firstArgument(callee)) : []));
  });
  return titles;
}

/** Ids of `wanted` that no title names. */
export function missingIds(wanted: readonly string[], titles: readonly string[]): string[] {
  const named = new Set(titles.flatMap((title) => title.match(/\b[SOFP]\d+\b/g) ?? []));
  return wanted.filter((id) => !named.has(id));
}

/** `test`, `it`, `describe`; not `test.skip`, `test.todo` or `test.failing`. */
function isTestName(node: Node): boolean {
  return node.type === 'Identifier' && ['test', 'it', 'describe'].includes(node.value as string);
}

/** `test.each(table)`, and `describe.each<T>(table)`. */
function isEach(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { type, object, property } = node.callee as Node & { object: Node; property: Node };
  return type === 'MemberExpression' && property.value === 'each' && isTestName(object);
}

function firstArgument(call: Node): Node | undefined {
  return (call.arguments as { expression: Node }[])[0]?.expression;
}

/** The texts that are written in an expression, in order. */
function textsOf(expression: Node | undefined): string[] {
  const texts: string[] = [];
  if (expression === undefined) return texts;
  visit(expression, (node) => {
    if (node.type === 'StringLiteral') texts.push(node.value as string);
    else if (node.type === 'TemplateLiteral') {
      texts.push((node.quasis as { raw: string }[]).map(({ raw }) => raw).join('…'));
    }
  });
  return texts;
}

function visit(node: unknown, look: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) look(node as Node);
  for (const value of Object.values(node)) visit(value, look);
}
