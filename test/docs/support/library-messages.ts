import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const LIB = join(import.meta.dirname, '../../../lib');

/** What one text of the source always says: the parts of a template, or of texts that are put together. */
export type Constants = readonly string[];

/** The texts of a source file, and those of them that it writes to a log. */
export interface SourceTexts {
  readonly file: string;
  readonly texts: readonly Constants[];
  readonly logged: readonly Constants[];
}

/** The texts of every source of the library. The testkit's are names of tests. */
export function libraryTexts(): readonly SourceTexts[] {
  return readdirSync(LIB, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('testkit'))
    .map((file) => textsOf(file, readFileSync(join(LIB, file), 'utf8')));
}

/** The texts of one source. */
export function textsOf(file: string, source: string): SourceTexts {
  const texts: Constants[] = [];
  const logged: Constants[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isLogging(node.expression)) {
      const said = node.arguments.map(constantsOf).filter((constants) => constants !== undefined);
      // A first text that is followed by another is the kind of what is logged once.
      logged.push(...said.slice(-1));
    }
    const constants = constantsOf(node);
    if (constants !== undefined) texts.push(constants);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
  return { file, texts, logged };
}

const isLogging = (called: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(called) &&
  /^(?:warn|error|log)$/.test(called.name.text) &&
  /log(?:ger)?$/i.test(called.expression.getText());

/** What a text, a template or a sum of them always says; `undefined` for what is none. */
function constantsOf(node: ts.Node): Constants | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [constantsOf(node.left), constantsOf(node.right)];
  if (left === undefined || right === undefined) return left ?? right;
  return [...left.slice(0, -1), `${left.at(-1) ?? ''}${right[0] ?? ''}`, ...right.slice(1)];
}

/** The clauses of a message as a document quotes it, where `…` stands for what varies. */
export function clausesOf(quoted: string): readonly string[] {
  return (
    quoted
      .split('…')
      .flatMap((part) => part.split(/(?<=[.,;:?])\s/))
      // The name of a token is often put in.
      .flatMap((part) => part.split(/\b([A-Z]+(?:_[A-Z]+)+)\b/))
      .map((clause) => clause.replaceAll(/^[\s.,;:?]+|[\s.,;:?]+$/g, ''))
      .filter((clause) => /\w/.test(clause))
  );
}

/** Whether every clause of `quoted` stands in `texts`. */
export function isSaidIn(quoted: string, texts: readonly Constants[]): boolean {
  const clauses = clausesOf(quoted);
  return (
    clauses.length > 0 && clauses.every((clause) => texts.some((text) => text.some((part) => part.includes(clause))))
  );
}
