/**
 * How much of a JSON value a text is. `cut`: it ends inside a string, an object or a list, as output does that a limit
 * cut off. `broken`: it is closed, and still no JSON.
 */
export function stateOfJson(text: string): 'blank' | 'complete' | 'cut' | 'broken' {
  if (text.trim() === '') return 'blank';
  if (isJson(text)) return 'complete';
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text[index];
    if (inString) {
      if (unit === '\\') index += 1;
      else if (unit === '"') inString = false;
    } else if (unit === '"') inString = true;
    else if (unit === '{' || unit === '[') depth += 1;
    else if (unit === '}' || unit === ']') depth -= 1;
  }
  return inString || depth > 0 ? 'cut' : 'broken';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
