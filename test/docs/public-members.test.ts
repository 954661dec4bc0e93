import { join } from 'node:path';
import ts from 'typescript';

import { temporaryFolder } from '../support/temporary-folder.js';
import { ENTRIES, isDocumented, type PublicName, publicNames } from './support/public-surface.js';

type Member = ts.ClassElement | ts.TypeElement;

/** The members, as `Name.member`, that `entries` export and whose hover shows no word beside the declaration itself. */
function undocumented(entries: readonly string[]): readonly string[] {
  return [...new Set(publicNames(entries).flatMap((name) => undocumentedMembers(name)))].sort();
}

function undocumentedMembers({ name, symbol, checker }: PublicName): readonly string[] {
  const found: string[] = [];
  // `told` is what the function or the member says within which a type is written out.
  const visit = (node: ts.Node, path: string, told: string): void => {
    if (!ts.isClassElement(node) && !ts.isTypeElement(node)) {
      const inner = ts.isFunctionDeclaration(node) ? hoverText(symbol, checker) : told;
      node.forEachChild((child) => visit(child, path, inner));
      return;
    }
    if (isHidden(node)) return;
    const member = node.name?.getText();
    const inner = ts.isConstructorDeclaration(node) ? `new ${path}` : member === undefined ? path : `${path}.${member}`;
    const words = memberText(node, checker);
    if (inner !== path && !isTold(node, words, told, checker)) found.push(inner);
    node.forEachChild((child) => visit(child, inner, `${told} ${words}`));
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration, name, '');
  return found;
}

/** Whether only its own class can reach it. */
function isHidden(member: Member): boolean {
  const isPrivate = ts.canHaveModifiers(member) && ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private;
  return Boolean(isPrivate) || (member.name !== undefined && ts.isPrivateIdentifier(member.name));
}

/** What a hover over the name shows beside its declaration, `@param` and the other tags too. */
function hoverText(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const tags = symbol.getJsDocTags(checker).map(({ text }) => ts.displayPartsToString(text));
  return [ts.displayPartsToString(symbol.getDocumentationComment(checker)), ...tags].join(' ');
}

function memberText(member: Member, checker: ts.TypeChecker): string {
  if (ts.isConstructorDeclaration(member)) {
    const signature = checker.getSignatureFromDeclaration(member);
    const tags = signature?.getJsDocTags().filter(({ name }) => name === 'param') ?? [];
    const texts = tags.map(({ text }) => ts.displayPartsToString(text));
    return [ts.displayPartsToString(signature?.getDocumentationComment(checker)), ...texts].join(' ').trim();
  }
  const symbol = member.name && checker.getSymbolAtLocation(member.name);
  return symbol === undefined ? '' : hoverText(symbol, checker);
}

/** A type that is written out inside a signature or a member may leave it to that one, which then names what it tells of. */
function isTold(member: Member, words: string, told: string, checker: ts.TypeChecker): boolean {
  if (ts.isConstructorDeclaration(member)) return words !== '' || speaksForItself(member, checker);
  const symbol = member.name && checker.getSymbolAtLocation(member.name);
  if (symbol !== undefined && isDocumented(symbol, checker)) return true;
  return new RegExp(`(?<![\\w.])(?:\\w+\\.)?${member.name?.getText()}(?!\\w)`).test(told);
}

/** A constructor may leave it to its class where it takes nothing, or one object whose members all say what they are. */
function speaksForItself({ parameters }: ts.ConstructorDeclaration, checker: ts.TypeChecker): boolean {
  const [parts, ...others] = parameters;
  if (parts === undefined) return true;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(parts));
  const members = checker.getPropertiesOfType(type);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && members.length > 0;
  return others.length === 0 && isObject && members.every((each) => isDocumented(each, checker));
}

describe('a member of a public name', () => {
  it('says in its documentation what it means, in every entry', () => {
    expect(undocumented(ENTRIES)).toEqual([]);
  }, 120_000);

  const undocumentedIn = (...lines: readonly string[]): readonly string[] => {
    const folder = temporaryFolder({ 'members.d.ts': lines.join('\n') });
    return undocumented([join(folder, 'members.d.ts')]);
  };

  it('is named when it says nothing', () => {
    const bare = undocumentedIn(
      'export interface Bare {\n /** Said. */\n said: string;\n quiet: string;\n ask(): void;\n}',
      'export declare class Made {\n static of(): Made;\n get size(): number;\n protected kind(): string;\n}',
      "export type Either = {\n kind: 'one';\n} | {\n /** Said. */\n kind: 'two';\n};",
      "export declare const KEYS: {\n readonly ONE: 'one';\n};",
    );
    expect(bare).toEqual(['Bare.ask', 'Bare.quiet', 'Either.kind', 'KEYS.ONE', 'Made.kind', 'Made.of', 'Made.size']);
  });

  it('may leave its documentation to the interface that it implements', () => {
    const bare = undocumentedIn(
      'export interface Told {\n /** Said. */\n said(): void;\n}',
      'export declare class Teller implements Told {\n said(): void;\n more(): void;\n}',
    );
    expect(bare).toEqual(['Teller.more']);
  });

  it('may leave its documentation to the function whose argument it is part of, which then names it', () => {
    const bare = undocumentedIn(
      '/** Chooses, `loud` or not. */',
      'export declare function choose(options: { loud?: boolean; louder?: boolean }): void;',
      '/** Chooses. @param options.sure whether it is sure */',
      'export declare function decide(options: { sure?: boolean; unsure?: boolean }): void;',
      'export interface Chooser {\n /** Chooses, `loud` or not. */\n choose(options: { loud?: boolean }): { made: boolean };\n}',
    );
    expect(bare).toEqual(['Chooser.choose.made', 'choose.louder', 'decide.unsure']);
  });

  it('is no concern of a reader where only its class reaches it', () => {
    expect(
      undocumentedIn('export declare class Shut {\n #a;\n private b;\n private constructor(a: string);\n}'),
    ).toEqual([]);
  });

  it('may be a constructor that takes nothing, or one object that says what its parts are', () => {
    const bare = undocumentedIn(
      'export interface Parts {\n /** Said. */\n one: string;\n}',
      'export interface Bare {\n one: string;\n}',
      'export declare class Empty {\n constructor();\n}',
      'export declare class Whole {\n constructor(parts?: Parts);\n}',
      'export declare class Loose {\n constructor(parts: Bare);\n}',
      'export declare class Plain {\n constructor(name: string);\n}',
      'export declare class Pair {\n constructor(parts: Parts, others: Parts);\n}',
      'export declare class Thrower {\n /** @throws Error sometimes */\n constructor(name: string);\n}',
      'export declare class Said {\n /** Says it. */\n constructor(name: string);\n}',
      'export declare class Tagged {\n /** @param name what it is called */\n constructor(name: string);\n}',
    );
    expect(bare).toEqual(['Bare.one', 'new Loose', 'new Pair', 'new Plain', 'new Thrower']);
  });
});
