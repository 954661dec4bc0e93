import { basename } from 'node:path';

import ts from 'typescript';

/** The members of `PeerMemory`, and no others; what is listed as optional may be missing from a backend. */
const PEER_MEMORY_MEMBERS: Readonly<Record<string, 'required' | 'optional'>> = {
  backendId: 'required',
  snapshotReader: 'optional',
  searcher: 'optional',
  dialecticEngine: 'optional',
  observationRecorder: 'optional',
  ingestor: 'optional',
  ping: 'optional',
  close: 'optional',
};
const NOT_TIERS = ['backendId', 'ping', 'close'];

/** A store, or what only stores hand out: names that a tier must not know. */
const STORE_NAME = /Stores?(?![a-z])|ObservationIndex|Representation/;

/** The one method that takes a bare id: it is where a `Workspace` comes from. */
const MAY_TAKE_AN_ID = { type: /WorkspaceStore$/, method: 'findById' };

interface Method {
  readonly name: string;
  readonly parameters: readonly ts.Symbol[];
  readonly at: ts.Node;
}

/** The rules about signatures, asked of one program. Each answers with its faults, as sentences; none: the rule is kept. */
export class SignatureRules {
  private readonly checker: ts.TypeChecker;
  private readonly sources: readonly ts.SourceFile[];

  /** `isOurs`: whether a file of the program is part of lib/. */
  constructor(
    private readonly program: ts.Program,
    isOurs: (file: string) => boolean,
  ) {
    this.checker = program.getTypeChecker();
    this.sources = program.getSourceFiles().filter((source) => isOurs(source.fileName));
  }

  /** `PeerMemory` has the members that it is specified to have. */
  peerMemoryMembers(): string[] {
    const members = this.membersOf(this.interfaceNamed('PeerMemory'));
    const faults = [...members]
      .filter(([name]) => !Object.hasOwn(PEER_MEMORY_MEMBERS, name))
      .map(([name]) => `PeerMemory has a member ${name}, which is none of its members`);
    for (const [name, presence] of Object.entries(PEER_MEMORY_MEMBERS)) {
      const member = members.get(name);
      if (member === undefined) faults.push(`PeerMemory has no member ${name}`);
      else if ((presence === 'optional') !== Boolean(member.flags & ts.SymbolFlags.Optional)) {
        faults.push(`PeerMemory.${name} is not ${presence}`);
      }
    }
    return faults;
  }

  /** No member of `PeerMemory`, called or read, waited for or not, answers with capabilities. */
  declaredCapabilities(): string[] {
    return [...this.membersOf(this.interfaceNamed('PeerMemory'))]
      .filter(([, member]) => this.answersWithCapabilities(this.checker.getTypeOfSymbol(member)))
      .map(([name]) => `PeerMemory.${name} declares capabilities, which are computed from the tiers`);
  }

  /** No signature in lib/spi names a store or a `Representation`, not even one that the compiler infers. */
  storesNamedBySpi(): string[] {
    const faults: string[] = [];
    for (const source of this.sources.filter(({ fileName }) => /(?:^|\/)lib\/spi\//.test(fileName))) {
      let declarations: string | undefined;
      this.program.emit(source, (_name, text) => (declarations = text), undefined, true);
      if (declarations === undefined) throw new Error(`${source.fileName}: its declarations could not be written.`);
      const visit = (node: ts.Node): void => {
        if (ts.isIdentifier(node) && STORE_NAME.test(node.text)) {
          faults.push(`${basename(source.fileName)} names ${node.text} in a signature`);
        }
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile('declarations.d.ts', declarations, ts.ScriptTarget.Latest));
    }
    return [...new Set(faults)];
  }

  /** A tier method takes nothing, or exactly one request object; `queryStream` a request object and a sink. */
  tierArguments(): string[] {
    return this.tierMethods().flatMap(({ name, parameters, at }) => {
      const [request, second, ...more] = parameters;
      if (request === undefined) return [];
      const streams = name.endsWith('.queryStream');
      const wanted = streams ? 'a request object and a sink' : 'exactly one argument, a request object';
      const fault = `${name} does not take ${wanted}`;
      if (!this.isRequest(this.typeAt(request, at))) return [fault];
      if (!streams) return second === undefined ? [] : [fault];
      const sinks = second !== undefined && this.typeAt(second, at).getCallSignatures().length > 0;
      return sinks && more.length === 0 ? [] : [fault];
    });
  }

  /** No method of a store or a tier takes a bare string id as its first argument, but `WorkspaceStore.findById`. */
  bareIds(): string[] {
    return [...this.storeMethods(), ...this.tierMethods()]
      .filter(({ parameters: [first], at }) => first !== undefined && this.mayBeText(this.typeAt(first, at)))
      .map(({ name }) => name)
      .filter((name) => {
        const [type = '', method] = name.split('.');
        return !(MAY_TAKE_AN_ID.type.test(type) && method === MAY_TAKE_AN_ID.method);
      })
      .map((name) => `${name} takes a bare string first; an id alone does not say whose it is`);
  }

  /** The methods that the rules are about, by name. */
  judgedMethods(): string[] {
    return [...this.tierMethods(), ...this.storeMethods()].map(({ name }) => name);
  }

  private tierMethods(): Method[] {
    return [...this.membersOf(this.interfaceNamed('PeerMemory'))]
      .filter(([name]) => !NOT_TIERS.includes(name))
      .flatMap(([, member]) => this.methodsOf(this.checker.getNonNullableType(this.checker.getTypeOfSymbol(member))));
  }

  /** The methods of what is called a store or an index, anywhere, and of all that stands in a store's port. */
  private storeMethods(): Method[] {
    return this.sources.flatMap((source) => {
      const isPort = /(?:^|\/)lib\/ports\/[^/]+-store\.ts$/.test(source.fileName);
      return source.statements
        .filter(
          (statement): statement is ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration =>
            ts.isInterfaceDeclaration(statement) ||
            ts.isClassDeclaration(statement) ||
            ts.isTypeAliasDeclaration(statement),
        )
        .filter(({ name }) => isPort || /Store$|^ObservationIndex$/.test(name?.text ?? ''))
        .flatMap((declaration) => this.methodsOf(this.checker.getTypeAtLocation(declaration)));
    });
  }

  /** One entry for each way to call each public method, methods written as properties included. */
  private methodsOf(type: ts.Type): Method[] {
    const owner = (type.aliasSymbol ?? type.getSymbol())?.name ?? this.checker.typeToString(type);
    return type.getProperties().flatMap((member) => {
      const at = member.valueDeclaration ?? member.declarations?.[0];
      if (at === undefined || isHidden(at)) return [];
      return this.checker
        .getNonNullableType(this.checker.getTypeOfSymbol(member))
        .getCallSignatures()
        .map((signature) => ({ name: `${owner}.${member.name}`, parameters: signature.getParameters(), at }));
    });
  }

  private answersWithCapabilities(type: ts.Type): boolean {
    const shown = (each: ts.Type): string =>
      this.checker.typeToString(each, undefined, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias);
    const present = this.checker.getNonNullableType(type);
    const answers = present.getCallSignatures().map((signature) => signature.getReturnType());
    return [present, ...answers].some((each) =>
      /MemoryCapability|['"](?:SNAPSHOT|SEARCH|CHAT|OBSERVE|INGEST)['"]/.test(shown(each)),
    );
  }

  /** The type of a parameter; of one that takes the rest, the type of each. */
  private typeAt(parameter: ts.Symbol, at: ts.Node): ts.Type {
    const declaration = parameter.valueDeclaration ?? at;
    const type = this.checker.getTypeOfSymbolAtLocation(parameter, declaration);
    const takesTheRest = ts.isParameter(declaration) && declaration.dotDotDotToken !== undefined;
    return (takesTheRest ? type.getNumberIndexType() : undefined) ?? type;
  }

  /** What makes an object a request, and a `PeerView` or an array none: each request can be aborted. */
  private isRequest(type: ts.Type): boolean {
    return Boolean(type.flags & ts.TypeFlags.Object) && type.getProperty('signal') !== undefined;
  }

  private mayBeText(type: ts.Type): boolean {
    if (type.isUnionOrIntersection()) return type.types.some((part) => this.mayBeText(part));
    const constraint = type.isTypeParameter() ? this.checker.getBaseConstraintOfType(type) : undefined;
    if (constraint !== undefined && constraint !== type) return this.mayBeText(constraint);
    return Boolean(type.flags & ts.TypeFlags.StringLike);
  }

  private membersOf(declaration: ts.InterfaceDeclaration): ReadonlyMap<string, ts.Symbol> {
    const type = this.checker.getTypeAtLocation(declaration);
    const members = new Map(type.getProperties().map((member) => [member.name, member]));
    for (const { keyType } of this.checker.getIndexInfosOfType(type)) {
      members.set(`[${this.checker.typeToString(keyType)}]`, type.symbol);
    }
    if (type.getCallSignatures().length > 0) members.set('()', type.symbol);
    return members;
  }

  private interfaceNamed(name: string): ts.InterfaceDeclaration {
    const found = this.sources
      .flatMap((source) => source.statements)
      .find((each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === name);
    if (found === undefined) throw new Error(`There is no interface ${name} in ${this.sources.length} files.`);
    return found;
  }
}

function isHidden(declaration: ts.Node): boolean {
  const named = declaration as ts.NamedDeclaration;
  if (named.name !== undefined && ts.isPrivateIdentifier(named.name)) return true;
  const flags = ts.getCombinedModifierFlags(declaration as ts.Declaration);
  return Boolean(flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
}
