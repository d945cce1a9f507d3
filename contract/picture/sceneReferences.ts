import { keyOf, referencesWritten } from '../expression/parse.ts'
import type { Item, Scene } from './scene.ts'

/** The expressions of an item, each with the path of its field. */
export const expressionsOf = (item: Item): { field: string; text: string }[] => [
  ...('of' in item ? [{ field: 'of', text: item.of }] : []),
  ...(item.bind ?? []).map(({ of }, i) => ({ field: `bind.${i}.of`, text: of })),
  ...(item.acts ?? []).flatMap(({ of, when }, i) => [
    ...(of === undefined ? [] : [{ field: `acts.${i}.of`, text: of }]),
    ...(when === undefined ? [] : [{ field: `acts.${i}.when`, text: when }]),
  ]),
  ...(item.alarms ?? []).map((text, i) => ({ field: `alarms.${i}`, text })),
]

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
