/** Variables that hold the keys of model providers: this program's own, and no business of what it starts. */
export const PROVIDER_KEY_VARIABLES: readonly string[] = [
  'REIN_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'AZURE_OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'MOONSHOT_API_KEY',
  'KIMI_API_KEY',
  'OPENROUTER_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'XAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'CEREBRAS_API_KEY',
  'FIREWORKS_API_KEY',
  'TOGETHER_API_KEY',
  'ZAI_API_KEY',
  'ZHIPU_API_KEY',
  'DASHSCOPE_API_KEY',
  'MINIMAX_API_KEY',
  'OLLAMA_API_KEY',
  'LMSTUDIO_API_KEY',
  'VLLM_API_KEY',
  'LLAMA_API_KEY',
];

const MIN_SECRET_LENGTH = 8;

type Environment = Readonly<Record<string, string>>;

/** The values of those variables, for masking; empty ones left out. */
export function providerKeys(env: Environment): string[] {
  return PROVIDER_KEY_VARIABLES.flatMap((name) => {
    const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
    return value === undefined || value === '' ? [] : [value];
  });
}

/**
 * The environment of child processes: without the variables of provider keys, whatever their letter case, without
 * `names`, and without any variable whose value holds one of these `values` (of 8 characters or more).
 */
export function childEnvironment(
  env: Environment,
  secret: { names?: readonly string[]; values?: readonly string[] } = {},
): Record<string, string> {
  const names = new Set([...PROVIDER_KEY_VARIABLES, ...(secret.names ?? [])].map((name) => name.toUpperCase()));
  const values = [...providerKeys(env), ...(secret.values ?? [])].filter((value) => value.length >= MIN_SECRET_LENGTH);
  const kept = Object.entries(env).filter(
    ([name, value]) => !names.has(name.toUpperCase()) && !values.some((one) => value.includes(one)),
  );
  return Object.fromEntries(kept);
}
