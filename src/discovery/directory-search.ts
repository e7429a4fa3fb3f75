import { basename, dirname, join, relative } from 'node:path';
import { type Diagnostic, isBlank, printable, sha256, unreachable } from '../base/index.ts';
import { type FileFacts, isAtPlace } from '../host/index.ts';
import type { FoundFile, SourceQuery } from '../model/index.ts';
import { type Candidates, candidatesIn, reportMisses } from './candidates.ts';
import type { Decoded } from './decode.ts';
import { describeKind } from './describe-kind.ts';
import { DirectoryReport } from './directory-report.ts';
import type { Fault } from './fault.ts';
import type { Content } from './file-memory.ts';
import { grouped } from './grouped.ts';
import type { LookView } from './look-view.ts';
import type { Spot } from './places.ts';
import { folded } from './spelling.ts';
import { type Owner, writableByOthers } from './writable-by-others.ts';

export type DirectoryAnswer = {
  spot: Spot;
  taken: readonly FoundFile[];
  /** What became of each candidate, as clauses of one sentence. */
  clauses: readonly string[];
  diagnostics: readonly Diagnostic[];
};

/** none: the directory contributes nothing, whatever else it holds. */
type Outcome = 'taken' | 'next' | 'none';

type Body = Pick<FoundFile, 'text' | 'sha256' | 'encoding' | 'status' | 'droppedBytes' | 'realPath' | 'frontMatter'>;

// A stub holds the target of a link and nothing else.
const MAX_STUB_BYTES = 255;

/** One query in one directory: tries the names in their order and says what became of each. */
export class DirectorySearch {
  readonly #query: SourceQuery;
  readonly #spot: Spot;
  readonly #view: LookView;
  readonly #owner: Owner;
  readonly #report: DirectoryReport;
  readonly #taken: FoundFile[] = [];
  readonly #tried = new Map<string, FileFacts | null>();
  #candidates: Candidates = { names: [], listed: false };
  #unsearchable = false;
  /** Taken where nothing else is. */
  #blank: { name: string; facts: FileFacts; content: Readable } | null = null;

  constructor(query: SourceQuery, spot: Spot, view: LookView, owner: Owner) {
    this.#query = query;
    this.#spot = spot;
    this.#view = view;
    this.#owner = owner;
    this.#report = new DirectoryReport(spot.directory);
  }

  async run(): Promise<DirectoryAnswer> {
    if (await this.#isPassedOver()) return this.#answer();
    await this.#findCandidates();
    for (const name of this.#candidates.names) {
      const outcome = await this.#consider(name);
      if (outcome === 'none' || (outcome === 'taken' && this.#query.perDirectory === 'first')) break;
    }
    await this.#takeBlank();
    if (this.#spot.file !== undefined) return this.#answer();
    if (this.#taken.length > 0) await this.#noteShadowed('beside it not read (one file per directory)');
    else if (this.#query.match === 'exact') {
      await reportMisses(this.#query, this.#spot.directory, this.#view, this.#report);
    }
    return this.#answer();
  }

  /** Nothing is taken, since the search has ended at `by`; says what would have been. */
  async runShadowed(by: string): Promise<DirectoryAnswer> {
    if (this.#spot.file !== undefined || (await this.#isPassedOver())) return this.#answer();
    await this.#findCandidates();
    await this.#noteShadowed(`not read: ${printable(by)} was taken before it`);
    return this.#answer();
  }

  /** Nothing of it counts: it is not there, or links lead to it where none are followed. */
  async #isPassedOver(): Promise<boolean> {
    const { directory, optional } = this.#spot;
    if (!optional) return false;
    if ((await this.#view.stat(directory)) === null) return true;
    return await isBehindLink(this.#query, this.#spot, this.#view, this.#report);
  }

  async #findCandidates(): Promise<void> {
    const { file } = this.#spot;
    if (file !== undefined) this.#candidates = { names: [file], listed: false };
    else this.#candidates = await candidatesIn(this.#query, this.#spot.directory, this.#view, this.#report);
  }

  #answer(): DirectoryAnswer {
    const { clauses, diagnostics } = this.#report;
    return { spot: this.#spot, taken: this.#taken, clauses, diagnostics };
  }

  async #consider(name: string): Promise<Outcome> {
    if (this.#tried.has(name)) return 'next';
    this.#tried.set(name, null);
    const seen = await this.#view.stat(join(this.#spot.directory, name));
    if (seen === null) {
      if (this.#candidates.listed)
        this.#report.tell('warning', 'dangling-link', name, 'is a link to nothing: as if absent');
      return 'next';
    }
    if ('fault' in seen) return this.#refuse(name, seen);
    // A listing names each file once; names that are only tried may be one file's.
    if (this.#query.match !== 'suffix' && this.#isSameFile(name, seen.facts)) return 'next';
    this.#tried.set(name, seen.facts);
    if (seen.facts.kind !== 'file') {
      const what = `is ${describeKind(seen.facts.kind)}, not a regular file: as if absent`;
      this.#report.tell('warning', 'not-regular', name, what);
      return 'next';
    }
    if (await this.#isElsewhere(name)) return 'next';
    if (seen.facts.size > this.#query.cap) return await this.#considerLarge(name, seen.facts);
    return await this.#considerText(name, seen.facts);
  }

  async #considerLarge(name: string, facts: FileFacts): Promise<Outcome> {
    const { cap, overCap } = this.#query;
    const tell = (then: string) =>
      this.#report.tell(
        'warning',
        'over-cap',
        name,
        `is ${grouped(facts.size)} bytes, over the cap of ${grouped(cap)}: ${then}`,
        {
          size: facts.size,
          cap,
        },
      );
    switch (overCap) {
      case 'next-name':
        tell('as if absent');
        return 'next';
      case 'skip':
        tell('nothing of this directory is read');
        return 'none';
      case 'path-only': {
        const realPath = await this.#view.realPath(this.#pathOf(name));
        if (this.#isBarred(name, realPath) || (await this.#isPlanted(name, realPath, facts))) return 'next';
        tell('only its path is given');
        return this.#take(name, facts, { ...NO_BODY, realPath, ...(this.#query.frontMatter && { frontMatter: null }) });
      }
      case 'cut': {
        const content = await this.#read(name, facts);
        if (content === null || (await this.#isPlanted(name, content.realPath, facts))) return 'next';
        const droppedBytes = facts.size - content.bytes;
        tell(`its last ${grouped(droppedBytes)} bytes are left out`);
        return this.#take(name, facts, { ...(await this.#bodyOf(content)), status: 'cut', droppedBytes });
      }
      default:
        return unreachable(overCap);
    }
  }

  async #considerText(name: string, facts: FileFacts): Promise<Outcome> {
    const content = await this.#read(name, facts);
    if (content === null || (await this.#isPlanted(name, content.realPath, facts))) return 'next';
    const { text } = content.decoded;
    if (this.#query.blank !== 'present' && isBlank(text)) {
      if (this.#query.blank === 'last' && this.#blank === null) this.#blank = { name, facts, content };
      else this.#report.note(name, 'is blank: as if absent');
      return 'next';
    }
    const target = await this.#stubTarget(name, facts, text);
    if (target !== null) {
      const stub = `holds nothing but the name ${printable(target)}, like a link that the checkout did not make`;
      if (this.#query.followStubs) {
        this.#report.tell('info', 'unmade-link', name, `${stub}: ${printable(target)} is tried in its place`, {
          target,
        });
        return await this.#consider(target);
      }
      this.#report.tell('info', 'unmade-link', name, `${stub}: taken as it is`, { target });
    }
    return this.#take(name, facts, await this.#bodyOf(content));
  }

  async #takeBlank(): Promise<void> {
    if (this.#blank === null) return;
    const { name, facts, content } = this.#blank;
    if (this.#taken.length > 0) this.#report.note(name, 'is blank: as if absent');
    else {
      this.#report.note(name, 'is blank: it says nothing');
      this.#take(name, facts, await this.#bodyOf(content));
    }
  }

  /** Null, and told: it cannot be read or decoded. */
  async #read(name: string, facts: FileFacts): Promise<Readable | null> {
    const content = await this.#view.content(this.#pathOf(name), facts, this.#query.cap, this.#query.decode);
    if ('fault' in content) {
      this.#refuse(name, content);
      return null;
    }
    const { decoded, realPath } = content;
    if (this.#isBarred(name, realPath)) return null;
    if (decoded === null) {
      this.#report.tell('warning', 'not-utf8', name, 'is not UTF-8: as if absent');
      return null;
    }
    const offset = decoded.firstInvalidByte;
    if (offset !== null) {
      const what = `has bytes that are not ${decoded.encoding.replace('-bom', '')}, the first at offset ${offset}: each becomes U+FFFD`;
      this.#report.hint('warning', 'invalid-bytes', name, what, { offset });
    }
    return { ...content, decoded };
  }

  /** Told where a link leads to it that may not lead there. By what was read: the link may be another since. */
  #isBarred(name: string, realPath: string): boolean {
    const { reach } = this.#spot;
    if (reach === undefined || isAtPlace(realPath, reach)) return false;
    this.#report.tell('warning', 'leads-outside', name, barred(realPath), { realPath });
    return true;
  }

  #take(name: string, facts: FileFacts, body: Body): Outcome {
    const { directory, scope } = this.#spot;
    if (this.#query.match === 'any-case' && this.#spot.file === undefined && !this.#query.names.includes(name)) {
      this.#report.hint(
        'info',
        'near-miss',
        name,
        'is read in any letter case here; other programs may want the exact name',
      );
    }
    const found = { kind: this.#query.kind, directory, name, path: this.#pathOf(name), scope };
    this.#taken.push({ ...found, ...body, size: facts.size, mtimeMs: facts.mtimeMs });
    return 'taken';
  }

  async #bodyOf(content: Readable): Promise<Body> {
    const { text, encoding } = content.decoded;
    const { sha256, realPath } = content;
    const body = { text, encoding, sha256, realPath, status: 'read', droppedBytes: 0 } as const;
    return this.#query.frontMatter
      ? { ...body, frontMatter: await this.#view.frontMatter(content.decoded, this.#query.frontMatter === 'whole') }
      : body;
  }

  /** Told where a link leads to it though none are followed, or where it lies outside the directories that count. */
  async #isElsewhere(name: string): Promise<boolean> {
    const { links, within } = this.#query;
    if (links === undefined && within === undefined) return false;
    const path = this.#pathOf(name);
    const realPath = await this.#view.resolve(path);
    if (realPath === null) {
      this.#report.tell('warning', 'unreadable', name, 'cannot be resolved to a real path: as if absent');
      return true;
    }
    if (links === 'skip' && realPath !== (await straightPath(this.#spot.level, path, this.#view))) {
      const what = `is behind a link, to ${printable(realPath)}: links are not followed here, as if absent`;
      this.#report.tell('warning', 'link-skipped', name, what, { realPath });
      return true;
    }
    if (within === undefined || isAtPlace(realPath, within)) return false;
    const what = `is really ${printable(realPath)}, outside of where it may lie: not read`;
    this.#report.tell('warning', 'outside', name, what, { realPath });
    return true;
  }

  #refuse(name: string, { fault, systemCode }: Fault): 'next' {
    this.#report.note(name, 'cannot be read: as if absent');
    // A directory that may not be searched refuses every name alike: told once.
    const repeated = this.#unsearchable && systemCode === 'EACCES';
    if (!repeated) this.#report.hint('warning', 'unreadable', name, `cannot be read: ${fault}: as if absent`);
    this.#unsearchable ||= systemCode === 'EACCES';
    return 'next';
  }

  /** Told where somebody else could have put the file there; true where it is to be left out for that. */
  async #isPlanted(name: string, realPath: string, facts: FileFacts): Promise<boolean> {
    const { writableByOthers: policy } = this.#query;
    if (policy === 'ignore' || !this.#spot.outside) return false;
    const why = writableByOthers(facts, this.#owner) ?? (await this.#whyDirectoryIsOpen(realPath));
    if (why === null) return false;
    const data = { mode: facts.mode, uid: facts.uid };
    if (policy === 'notice')
      this.#report.hint('warning', 'writable-by-others', name, `${why}: it is read all the same`, data);
    else
      this.#report.tell(
        'warning',
        'writable-by-others',
        name,
        `${why}: it lies outside the project and is not read`,
        data,
      );
    return policy === 'skip';
  }

  async #whyDirectoryIsOpen(realPath: string): Promise<string | null> {
    for (const directory of new Set([this.#spot.directory, dirname(realPath)])) {
      const seen = await this.#view.stat(directory);
      const why = seen !== null && 'facts' in seen ? writableByOthers(seen.facts, this.#owner) : null;
      if (why !== null) return `lies in ${printable(directory)}, which ${why}`;
    }
    return null;
  }

  /** The candidate beside it that the whole text names, as git writes a link where the system has none. */
  async #stubTarget(name: string, facts: FileFacts, text: string): Promise<string | null> {
    if (facts.size > MAX_STUB_BYTES) return null;
    const target = text.replace(/\r?\n$/, '').replace(/^\.\//, '');
    if (target === name || !this.#isCandidate(target)) return null;
    return (await this.#view.isRegular(this.#pathOf(target))) ? target : null;
  }

  #isCandidate(name: string): boolean {
    const { names, listed } = this.#candidates;
    return names.includes(name) || (listed && this.#query.names.includes(name));
  }

  /** Another letter case of a name already tried, on a disk that makes no difference between them. */
  #isSameFile(name: string, facts: FileFacts): boolean {
    for (const [tried, before] of this.#tried) {
      if (before === null || tried === name || folded(tried) !== folded(name)) continue;
      if (before.device === facts.device && before.inode === facts.inode) return true;
    }
    return false;
  }

  async #noteShadowed(what: string): Promise<void> {
    for (const name of this.#candidates.names) {
      if (this.#tried.has(name)) continue;
      const seen = await this.#view.stat(this.#pathOf(name));
      if (seen === null || 'fault' in seen || seen.facts.kind !== 'file' || this.#isSameFile(name, seen.facts))
        continue;
      this.#tried.set(name, seen.facts);
      this.#report.note(name, what);
      const twin = this.#taken.find((file) => folded(file.name) === folded(name));
      if (twin !== undefined) {
        this.#report.hint(
          'info',
          'near-miss',
          name,
          `is not read: ${printable(twin.name)} beside it is the same name in another case`,
        );
      }
    }
  }

  #pathOf(name: string): string {
    return join(this.#spot.directory, name);
  }
}

type Readable = Content & { decoded: Decoded };

const NO_BODY = { text: '', sha256: sha256(''), encoding: 'utf-8', status: 'path-only', droppedBytes: 0 } as const;

/** Where the path would really be without a link below `level`. */
async function straightPath(level: string, path: string, view: LookView): Promise<string> {
  return join(await view.realPath(level), relative(level, path));
}

function barred(realPath: string): string {
  return `is a link out of the project, to ${printable(realPath)}: as if absent until the project is trusted (rein trust)`;
}

/** Told where a directory is a link to one that this spot's links may not lead to. */
export async function leadsOut(
  { reach }: Spot,
  directory: string,
  view: LookView,
  report: DirectoryReport,
): Promise<boolean> {
  if (reach === undefined) return false;
  const realPath = await view.realPath(directory);
  if (isAtPlace(realPath, reach)) return false;
  const message = `${printable(basename(directory))} ${barred(realPath)}`;
  report.diagnostics.push({
    severity: 'warning',
    code: 'discovery/leads-outside',
    message,
    path: directory,
    data: { realPath },
  });
  return true;
}

/** Told where the directory itself is reached by a link below its level, and the query follows none. */
export async function isBehindLink(
  query: SourceQuery,
  spot: Spot,
  view: LookView,
  report: DirectoryReport,
): Promise<boolean> {
  const { directory, level } = spot;
  if (directory === level) return false;
  if (query.links !== 'skip') return leadsOut(spot, directory, view, report);
  const realPath = await view.realPath(directory);
  if (realPath === (await straightPath(level, directory, view))) return false;
  const message = `a link leads to ${printable(realPath)}: links are not followed here, as if absent`;
  report.warn('link-skipped', message, { realPath });
  return true;
}
