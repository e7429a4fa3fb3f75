import { type Workspace, workspace } from '../rig.ts';

/** The base prompt that is shipped, as this workspace's directory would get it without any file. */
export async function shippedBase(w: Workspace, cwd: string = '.'): Promise<string> {
  const bare = await workspace({ '.git/': null, [`${cwd}/`]: null });
  return (await bare.systemPrompt({ cwd })).replace(bare.project, w.project);
}
