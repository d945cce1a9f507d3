import { keyOf, referencesWritten } from '../expression/parse.ts'
import type { Item, Scene } from './scene.ts'

/** The expressions of an item, each with the path of its field. */
export const expressionsOf = (item: Item): { field: string; text: string }[] => [
  ...('of' in item && item.of !== undefined ? [{ field: 'of', text: item.of }] : []),
  ...('target' in item && item.target !== undefined ? [{ field: 'target', text: item.target }] : []),
  ...('reads' in item ? item.reads.map((text, i) => ({ field: `reads.${i}`, text })) : []),
  ...(item.bind ?? []).map(({ of }, i) => ({ field: `bind.${i}.of`, text: of })),
  ...(item.acts ?? []).flatMap(({ of, when }, i) => [
    ...(of === undefined ? [] : [{ field: `acts.${i}.of`, text: of }]),
    ...(when === undefined ? [] : [{ field: `acts.${i}.when`, text: when }]),
  ]),
  ...(item.alarms ?? []).map((text, i) => ({ field: `alarms.${i}`, text })),
]

/** The item with its expressions written otherwise. */
export const withExpressions = (item: Item, write: (text: string) => string): Item =>
  ({
    ...item,
    ...('of' in item && item.of !== undefined ? { of: write(item.of) } : {}),
    ...('target' in item && item.target !== undefined ? { target: write(item.target) } : {}),
    ...('reads' in item ? { reads: item.reads.map(write) } : {}),
    ...(item.bind ? { bind: item.bind.map((one) => ({ ...one, of: write(one.of) })) } : {}),
    ...(item.acts
      ? {
          acts: item.acts.map((act) => ({
            ...act,
            ...(act.of === undefined ? {} : { of: write(act.of) }),
            ...(act.when === undefined ? {} : { when: write(act.when) }),
          })),
        }
      : {}),
    ...(item.alarms ? { alarms: item.alarms.map(write) } : {}),
  }) as Item

/** What a scene reads, each once: keys such as `#12` and `{Pump.Speed}`, with the first item and field that name it. */
export const referencesIn = (scene: Pick<Scene, 'items'>): Map<string, { item: string; field: string }> => {
  const found = new Map<string, { item: string; field: string }>()
  for (const item of scene.items)
    for (const { field, text } of expressionsOf(item))
      for (const reference of referencesWritten(text)) {
        const key = keyOf(reference)
        if (!found.has(key)) found.set(key, { item: item.id, field })
      }
  return found
}

/** The Id of a reference such as `#12`. */
export const idOf = (key: string) => (key.startsWith('#') ? Number(key.slice(1)) : undefined)
/** Parameter and point of a name such as `{Pump.Speed}`. */
export const nameOf = (key: string): { parameter: string; point: string | undefined } | undefined => {
  if (!key.startsWith('{')) return undefined
  const [, parameter = '', point] = /^\{([^.]*)(?:\.(.*))?\}$/.exec(key) ?? []
  return { parameter, point }
}

/** Symbols that a scene is drawn with, those that bindings choose too. */
export const symbolsIn = ({ items }: Pick<Scene, 'items'>): string[] =>
  items.flatMap((item) => {
    if (item.kind !== 'symbol') return []
    const chosen = item.bind?.find(({ to }) => to === 'picture')
    const others = [...(chosen?.states ?? []), ...(chosen?.ranges ?? [])].flatMap(({ is }) => (typeof is === 'string' ? [is] : []))
    return [item.symbol, ...others]
  })
