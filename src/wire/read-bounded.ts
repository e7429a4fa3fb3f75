/** The text of a body, its first `limit` bytes; the rest is not read. A lost connection ends the text. */
export async function readBounded(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, limit - size));
      size += chunk.length;
      if (size >= limit) break;
    }
  } catch {
    // What came of an error's text is still worth more than the loss of the rest.
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
