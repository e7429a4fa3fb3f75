import type { RenderRequest, RenderResult } from '../../model/index.ts';

/** Renders what needs the template engine. Templates are hostile: time, memory and output are bounded. */
export interface TemplatePort {
  /** Never rejects for what a template holds. */
  render(request: RenderRequest): Promise<RenderResult>;
}
