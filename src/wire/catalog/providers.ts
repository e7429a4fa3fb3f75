import type { Wire } from '../../model/index.ts';

export type Provider = {
  baseUrl: string;
  /** Variables that may hold the key, the first one set is taken. */
  keys: readonly string[];
  /** Without a key it is still asked: servers on one's own machine. */
  keyOptional: boolean;
  /** A variable that replaces the base URL. */
  baseUrlVariable?: string;
  /** What it speaks, its own first. */
  wires: readonly Wire[];
  /** Whether an assistant's `reasoning_content` may be sent back: strict servers refuse the field. */
  replaysReasoning: boolean;
};

function hosted(baseUrl: string, keys: readonly string[], extra: Partial<Provider> = {}): Provider {
  return { baseUrl, keys, keyOptional: false, wires: ['chat'], replaysReasoning: true, ...extra };
}

function local(baseUrl: string, keys: readonly string[], extra: Partial<Provider> = {}): Provider {
  return { baseUrl, keys, keyOptional: true, wires: ['chat'], replaysReasoning: true, ...extra };
}

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: hosted('https://api.openai.com/v1', ['OPENAI_API_KEY'], {
    baseUrlVariable: 'OPENAI_BASE_URL',
    wires: ['chat', 'responses'],
  }),
  anthropic: hosted('https://api.anthropic.com', ['ANTHROPIC_API_KEY'], {
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    wires: ['messages'],
  }),
  openrouter: hosted('https://openrouter.ai/api/v1', ['OPENROUTER_API_KEY']),
  moonshot: hosted('https://api.moonshot.ai/v1', ['MOONSHOT_API_KEY']),
  deepseek: hosted('https://api.deepseek.com/v1', ['DEEPSEEK_API_KEY']),
  groq: hosted('https://api.groq.com/openai/v1', ['GROQ_API_KEY'], { replaysReasoning: false }),
  mistral: hosted('https://api.mistral.ai/v1', ['MISTRAL_API_KEY'], { replaysReasoning: false }),
  xai: hosted('https://api.x.ai/v1', ['XAI_API_KEY']),
  google: hosted(
    'https://generativelanguage.googleapis.com/v1beta/openai',
    ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    { replaysReasoning: false },
  ),
  ollama: local('http://127.0.0.1:11434/v1', ['OLLAMA_API_KEY'], { baseUrlVariable: 'OLLAMA_HOST' }),
  lmstudio: local('http://127.0.0.1:1234/v1', ['LMSTUDIO_API_KEY']),
  vllm: local('http://127.0.0.1:8000/v1', ['VLLM_API_KEY']),
  'llama.cpp': local('http://127.0.0.1:8080/v1', ['LLAMA_API_KEY']),
};

/** An ad hoc provider of which nothing is known. */
export const CUSTOM: Provider = local('', ['REIN_API_KEY'], { wires: ['chat', 'responses', 'messages'] });
