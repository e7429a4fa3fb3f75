import { type Workspace, workspace } from '../rig.ts';

/** The base prompt that is shipped, as this workspace's harness gives it in its directory without any file. */
export async function shippedBase(w: Workspace, cwd: string = '.'): Promise<string> {
  const bare = await workspace({ '.git/': null, [`${cwd}/`]: null }, { harness: w.harness });
  return (await bare.systemPrompt({ cwd })).replace(bare.project, w.project);
}
