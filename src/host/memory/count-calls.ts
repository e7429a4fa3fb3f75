/** The same port, with every call counted under `prefix.method`. */
export function countCalls<T extends object>(port: T, prefix: string, calls: Record<string, number>): T {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value as (...args: unknown[]) => unknown;
      return (...args: unknown[]): unknown => {
        const key = `${prefix}.${String(name)}`;
        calls[key] = (calls[key] ?? 0) + 1;
        return method.apply(target, args);
      };
    },
  });
}
