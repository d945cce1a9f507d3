// Actions of a click on a picture. Pure.

import { keyOf, referencesWritten } from '../../../../contract/expression/parse.ts'
import { type Action, type Item, type Scene, writing } from '../../../../contract/picture/scene.ts'
import { expressionsOf, idOf } from '../../../../contract/picture/sceneReferences.ts'
import type { AlarmRow, Opened } from '../contract.ts'

export type Values = Readonly<Record<string, string | number>>

/** URL of a picture with its parameters. */
export const pictureAddress = (id: number, given: Values = {}) => {
  const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [`p.${name}`, String(value)]))
  return `/projectDetailsManagement/flowChart/${id}${query.size ? `?${query}` : ''}`
}
/** Parameters in a URL. A number is the Id of a device or point. */
export const parametersOf = (query: URLSearchParams): Record<string, string | number> =>
  Object.fromEntries(
    [...query]
      .filter(([name]) => name.startsWith('p.'))
      .slice(0, 50)
      .map(([name, value]) => [name.slice(2, 52), String(Number(value)) === value ? Number(value) : value.slice(0, 200)]),
  )

type Rights = { operates: boolean; acknowledges: boolean /** Faceplates open no others. */; isFace?: boolean }
/** The scenes of a picture with the actions that this user may take; buttons without an effect are disabled. */
export const offered = (opened: Opened, { operates, acknowledges, isFace = false }: Rights): Opened => {
  const still = new Set(opened.Still)
  const offers = ({ do: does, picture, path, device }: Action) =>
    writing.includes(does)
      ? operates
      : does === 'acknowledge'
        ? acknowledges
        : does === 'open'
          ? picture !== undefined
          : does === 'faceplate'
            ? !isFace && (picture !== undefined || device !== undefined)
            : path !== undefined
  const cut = (scene: Scene, prefixes: readonly string[]): Scene => ({
    ...scene,
    items: scene.items.map(({ acts, ...item }) => {
      const isStill = acts?.[0] && writing.includes(acts[0].do) && prefixes.some((prefix) => still.has(`${prefix}${item.id}`))
      return acts?.[0] && offers(acts[0]) && !isStill ? { ...item, acts } : item
    }) as Item[],
  })
  // A picture may be nested at several places: an action is offered only if all of them allow it.
  const inner = new Map<string, string[]>()
  for (const id of still) {
    const at = id.lastIndexOf('.')
    if (at >= 0) inner.set(id.slice(at + 1), [...(inner.get(id.slice(at + 1)) ?? []), id.slice(0, at + 1)])
  }
  const prefixes = [...new Set([...inner.values()].flat())]
  return {
    ...opened,
    Scene: cut(opened.Scene as Scene, ['']),
    Inside: opened.Inside.map((one) => ({ ...one, Scene: cut(one.Scene, prefixes) })),
  }
}

/** Unacknowledged alarms of the points of an item; for an item without points, all of them. */
export const alarmsOf = (item: Item | undefined, { Named }: Pick<Opened, 'Named'>, rows: readonly AlarmRow[]): AlarmRow[] => {
  const keys = item ? expressionsOf(item).flatMap(({ text }) => referencesWritten(text).map(keyOf)) : []
  const ids = new Set(keys.flatMap((key) => idOf(key) ?? Named[key] ?? []))
  return rows.filter(({ ParaId, Unacknowledged }) => Unacknowledged && (!keys.length || (ParaId !== null && ids.has(ParaId))))
}
