import type { ModelSettings, Quirks, Wire } from '../../model/index.ts';

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
  quirks: Partial<Quirks>;
  /** Of models that are not in the catalogue. */
  models: Pick<ModelSettings, 'reasoning'>;
  /** Which models it has, and their sizes, are its makers' business; elsewhere whoever runs the server sets them. */
  hosted: boolean;
};

type Extra = Partial<Pick<Provider, 'baseUrlVariable' | 'wires' | 'quirks' | 'models'>>;

function hosted(baseUrl: string, keys: readonly string[], extra: Extra = {}): Provider {
  return { baseUrl, keys, keyOptional: false, wires: ['chat'], quirks: {}, models: {}, hosted: true, ...extra };
}

function local(baseUrl: string, keys: readonly string[], extra: Extra = {}): Provider {
  return { baseUrl, keys, keyOptional: true, wires: ['chat'], quirks: {}, models: {}, hosted: false, ...extra };
}

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: hosted('https://api.openai.com/v1', ['OPENAI_API_KEY'], {
    baseUrlVariable: 'OPENAI_BASE_URL',
    wires: ['chat', 'responses'],
    quirks: { reasoning_replay: 'none', max_tokens_field: 'max_completion_tokens', call_ids: 'word' },
  }),
  anthropic: hosted('https://api.anthropic.com', ['ANTHROPIC_API_KEY'], {
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    wires: ['messages'],
  }),
  openrouter: hosted('https://openrouter.ai/api/v1', ['OPENROUTER_API_KEY'], {
    quirks: { reasoning_replay: 'reasoning', reasoning_switch: 'reasoning' },
  }),
  moonshot: hosted('https://api.moonshot.ai/v1', ['MOONSHOT_API_KEY'], { quirks: { empty_reasoning: 'placeholder' } }),
  deepseek: hosted('https://api.deepseek.com/v1', ['DEEPSEEK_API_KEY']),
  groq: hosted('https://api.groq.com/openai/v1', ['GROQ_API_KEY'], {
    quirks: {
      reasoning_replay: 'none',
      max_tokens_cap: 32_768,
      drop_fields: ['prompt_cache_key', 'thinking', 'store', 'verbosity'],
    },
    models: { reasoning: 'none' },
  }),
  mistral: hosted('https://api.mistral.ai/v1', ['MISTRAL_API_KEY'], {
    quirks: {
      reasoning_replay: 'none',
      // It counts tokens without being asked, and refuses fields that it does not know.
      stream_usage: false,
      call_ids: 'nine',
      answer_after_results: true,
      drop_fields: ['prompt_cache_key', 'thinking'],
    },
  }),
  xai: hosted('https://api.x.ai/v1', ['XAI_API_KEY'], { quirks: { drop_fields: ['prompt_cache_key', 'thinking'] } }),
  google: hosted(
    'https://generativelanguage.googleapis.com/v1beta/openai',
    ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    { quirks: { reasoning_replay: 'none', drop_fields: ['prompt_cache_key', 'thinking'] } },
  ),
  ollama: local('http://127.0.0.1:11434/v1', ['OLLAMA_API_KEY'], { baseUrlVariable: 'OLLAMA_HOST' }),
  lmstudio: local('http://127.0.0.1:1234/v1', ['LMSTUDIO_API_KEY']),
  vllm: local('http://127.0.0.1:8000/v1', ['VLLM_API_KEY'], { quirks: { reasoning_switch: 'chat_template_kwargs' } }),
  'llama.cpp': local('http://127.0.0.1:8080/v1', ['LLAMA_API_KEY'], {
    quirks: { reasoning_switch: 'chat_template_kwargs' },
  }),
};

/** A server of which nothing is known. */
export const UNKNOWN: Provider = local('', [], { wires: ['chat', 'responses', 'messages'] });

/** The ad hoc one of `--base-url`. */
export const CUSTOM: Provider = { ...UNKNOWN, keys: ['REIN_API_KEY'] };

export const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDERS);
