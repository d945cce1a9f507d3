// What a scene's shape alone does not rule out: items that name each other wrongly, and expressions that are none.
import { parse } from '../expression/parse.ts'
import { drawingFaults, pathText } from './drawing.ts'
import { mostPathTextOfScene } from './drawingLimits.ts'
import { ownId } from './ownSymbol.ts'
import { portsOf } from './route.ts'
import { deepestGroup, type Item, mostExpressionText, mostPicturePoints, type Scene } from './scene.ts'
import { expressionsOf, referencesIn } from './sceneReferences.ts'
import type { PictureSymbol } from './symbol.ts'

/** `rule` is a key of words at `fault.field.<rule>`, or a whole key where it has a dot. */
export type SceneFault = { item: string; field: string; rule: string; values?: Record<string, string | number> }

const depthFaults = (items: ReadonlyMap<string, Item>): SceneFault[] =>
  [...items.values()].flatMap((item): SceneFault[] => {
    const above = new Set<string>()
    for (let group = item.in; group !== undefined; group = items.get(group)?.in) {
      if (items.get(group)?.kind !== 'group') return [{ item: item.id, field: 'in', rule: 'scene.noGroup', values: { group } }]
      if (above.has(group) || above.size >= deepestGroup)
        return [{ item: item.id, field: 'in', rule: 'scene.tooDeep', values: { most: deepestGroup } }]
      above.add(group)
    }
    return []
  })

const pipeFaults = (items: ReadonlyMap<string, Item>, symbolOf: (id: string) => PictureSymbol | undefined): SceneFault[] =>
  [...items.values()].flatMap((pipe) => {
    if (pipe.kind !== 'pipe') return []
    return (['from', 'to'] as const).flatMap((field): SceneFault[] => {
      const end = pipe[field]
      if ('x' in end) return []
      const owner = items.get(end.item)
      const symbol = owner?.kind === 'symbol' ? symbolOf(owner.symbol) : undefined
      // A symbol of a later version has ports that nobody knows here.
      const isKnown = owner && (owner.kind === 'symbol' && !symbol ? true : portsOf(owner, symbol).some(({ id }) => id === end.port))
      return isKnown ? [] : [{ item: pipe.id, field, rule: 'scene.noPort', values: { item: end.item, port: end.port } }]
    })
  })

/** Own symbols come with the scene that uses them. */
const symbolFaults = ({ items, symbols = [] }: Scene): SceneFault[] => {
  if (symbols.reduce((sum, { drawing }) => sum + pathText(drawing.parts), 0) > mostPathTextOfScene)
    return [{ item: '', field: 'symbols', rule: 'max', values: { max: mostPathTextOfScene } }]
  const there = new Set(symbols.map(({ id }) => id))
  const twice = there.size < symbols.length ? [{ item: '', field: 'symbols', rule: 'scene.twice' }] : []
  const broken = symbols.flatMap(({ id, drawing }) =>
    drawingFaults(drawing).map(({ field, ...rest }) => ({ item: '', field: `symbols.${id}.${field}`, ...rest })),
  )
  const missing = items.flatMap((item): SceneFault[] =>
    item.kind === 'symbol' && ownId(item.symbol) !== undefined && !there.has(item.symbol)
      ? [{ item: item.id, field: 'symbol', rule: 'scene.noSymbol', values: { symbol: item.symbol } }]
      : [],
  )
  return [...twice, ...broken, ...missing]
}

/** Trends draw what is stored, and that is points; a number stands where none is chosen yet. */
const trendFaults = ({ items }: Scene): SceneFault[] =>
  items.flatMap((item) =>
    item.kind === 'trend'
      ? item.reads.flatMap((text, i): SceneFault[] => {
          const { tree } = parse(text)
          return tree && tree.kind !== 'reference' && tree.kind !== 'number'
            ? [{ item: item.id, field: `reads.${i}`, rule: 'scene.onlyPoints' }]
            : []
        })
      : [],
  )

/** As many as an answer names. */
const mostFaults = 50
const brokenExpressions = ({ items }: Scene): SceneFault[] => {
  const found = items.flatMap((item) => expressionsOf(item).map((one) => ({ ...one, item: item.id })))
  if (found.reduce((sum, { text }) => sum + text.length, 0) > mostExpressionText)
    return [{ item: '', field: 'items', rule: 'scene.tooMuchToRead', values: { most: mostExpressionText } }]
  const faults: SceneFault[] = []
  for (const { item, field, text } of found) {
    const { flaw } = parse(text)
    if (flaw) faults.push({ item, field, rule: `expression.${flaw.key}`, values: { at: flaw.at + 1, text: flaw.text } })
    if (faults.length >= mostFaults) break
  }
  return faults
}

/** What is wrong with a scene whose shape fits. Empty: nothing. */
export const sceneFaults = (scene: Scene, symbolOf: (id: string) => PictureSymbol | undefined): SceneFault[] => {
  const items = new Map(scene.items.map((item) => [item.id, item]))
  const counts = new Map<string, number>()
  for (const { id } of scene.items) counts.set(id, (counts.get(id) ?? 0) + 1)
  const twice = [...counts].flatMap(([item, count]) => (count > 1 ? [{ item, field: 'id', rule: 'scene.twice' }] : []))
  const read = referencesIn(scene).size
  const many =
    read > mostPicturePoints ? [{ item: '', field: 'items', rule: 'scene.tooManyPoints', values: { most: mostPicturePoints } }] : []
  const wordFaults = [...brokenExpressions(scene), ...trendFaults(scene)]
  return [...twice, ...symbolFaults(scene), ...depthFaults(items), ...pipeFaults(items, symbolOf), ...wordFaults, ...many]
}
