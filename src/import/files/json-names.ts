// Members that stand twice in one JSON object: JSON.parse would take the last and say nothing.

const [openBrace, closeBrace, quote, backslash, colon, space] = [0x7b, 0x7d, 0x22, 0x5c, 0x3a, 0x20];

interface ObjectLevel {
  readonly path: string;
  readonly names: Set<string>;
  last: string;
}

/** The dotted name of the first member that its object has already; undefined when there is none. The text must be valid JSON. */
export function nameTwice(text: string): string | undefined {
  const levels: ObjectLevel[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openBrace) levels.push({ path: pathOf(levels.at(-1)), names: new Set(), last: '' });
    else if (code === closeBrace) levels.pop();
    if (code !== quote) continue;
    const end = endOfText(text, at);
    const level = levels.at(-1);
    if (level !== undefined && isName(text, end)) {
      level.last = nameIn(text.slice(at, end));
      if (level.names.has(level.last)) return level.path + level.last;
      level.names.add(level.last);
    }
    at = end - 1;
  }
  return undefined;
}

const pathOf = (above: ObjectLevel | undefined): string => (above === undefined ? '' : `${above.path}${above.last}.`);

/** The position behind the closing quote of the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}

const nameIn = (quoted: string): string => (quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1));
