// SVG path data with absolute commands (SVG 2, 9.3).

const counts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

export type Segment = { command: string; numbers: readonly number[] }

/** The segments of path data. Undefined where a command is unknown or a number is missing. */
export const segmentsOf = (d: string): readonly Segment[] | undefined => {
  const found: Segment[] = []
  for (const [, command, rest] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const count = counts[command!]
    const numbers = [...rest!.matchAll(/-?(\d+\.?\d*|\.\d+)/g)].map(([n]) => Number(n))
    if (count === undefined || (count ? numbers.length % count || !numbers.length : numbers.length)) return undefined
    for (let i = 0; i < (count ? numbers.length : 1); i += count || 1)
      found.push({ command: command!, numbers: numbers.slice(i, i + count) })
  }
  return found[0]?.command === 'M' ? found : undefined
}

export type Box = { x: number; y: number; w: number; h: number }

/** The box of the points and control points of path data: the drawing never leaves it, but for arcs that bulge. */
export const boxOf = (d: string): Box => {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (const { command, numbers } of segmentsOf(d) ?? []) {
    if (command === 'H') xs.push(numbers[0]!)
    else if (command === 'V') ys.push(numbers[0]!)
    else if (command === 'A') {
      xs.push(numbers[5]!)
      ys.push(numbers[6]!)
    } else
      numbers.forEach((n, i) => {
        ;(i % 2 ? ys : xs).push(n)
      })
  }
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y }
}
