/** One thing in the tree of the in-memory host. Times in ms since the epoch; mode as permission bits. */
export type MemoryAttributes = { mode?: number; uid?: number; mtimeMs?: number; ctimeMs?: number };

export type MemoryEntry =
  | string
  | Uint8Array
  | (MemoryAttributes & { content: string | Uint8Array })
  | (MemoryAttributes & { link: string })
  | (MemoryAttributes & { fifo: true })
  | (MemoryAttributes & { directory: true });

/** Absolute path → what is there. Parents are made as needed, in the order of the keys. */
export type MemoryTree = Readonly<Record<string, MemoryEntry>>;

export type NodeAttributes = { mode: number; uid: number; mtimeMs: number; ctimeMs: number; inode: number };
export type FileNode = NodeAttributes & { kind: 'file'; bytes: Uint8Array };
export type LinkNode = NodeAttributes & { kind: 'link'; target: string };
export type DirectoryNode = NodeAttributes & { kind: 'directory'; children: Map<string, TreeNode> };
export type FifoNode = NodeAttributes & { kind: 'fifo' };
export type TreeNode = FileNode | LinkNode | DirectoryNode | FifoNode;

/** Where a path leads: the directory that holds its last name, that name, and what is there, if anything. */
export type Located = {
  parent: DirectoryNode;
  name: string;
  node: TreeNode | undefined;
  /** Without links, as far as they were to be followed. */
  path: string;
};

/** `code` as the system has it: ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EINVAL. */
export type Lost = { code: string };

// As Linux: more links than this on one way are taken for a loop.
const MAX_LINKS = 40;
const MAX_NAME_BYTES = 255;

/**
 * Walks a path as the system does: `..` after a link is the target's parent. The last name may be absent; a directory
 * on the way may not.
 */
export function locate(root: DirectoryNode, path: string, followLast: boolean): Located | Lost {
  if (path.includes('\0') || !path.startsWith('/')) return { code: 'EINVAL' };
  const todo = path.split('/').filter((name) => name !== '' && name !== '.');
  const way: { node: DirectoryNode; name: string }[] = [];
  let links = 0;
  let directory = root;
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    if (name === '..') {
      way.pop();
      directory = way.at(-1)?.node ?? root;
      continue;
    }
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) return { code: 'ENAMETOOLONG' };
    const node = directory.children.get(name);
    const isLast = todo.length === 0;
    if (node?.kind === 'link' && (!isLast || followLast)) {
      links += 1;
      if (links > MAX_LINKS) return { code: 'ELOOP' };
      if (node.target.startsWith('/')) {
        way.length = 0;
        directory = root;
      }
      todo.unshift(...node.target.split('/').filter((part) => part !== '' && part !== '.'));
      continue;
    }
    if (isLast) return { parent: directory, name, node, path: join(way, name) };
    if (node === undefined) return { code: 'ENOENT' };
    if (node.kind !== 'directory') return { code: 'ENOTDIR' };
    way.push({ node, name });
    directory = node;
  }
  const parent = way.at(-2)?.node ?? root;
  const name = way.at(-1)?.name ?? '';
  return { parent, name, node: directory, path: `/${way.map((step) => step.name).join('/')}` };
}

function join(way: readonly { name: string }[], name: string): string {
  return `/${[...way.map((step) => step.name), name].join('/')}`;
}
