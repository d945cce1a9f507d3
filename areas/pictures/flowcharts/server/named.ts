import { setImmediate } from 'node:timers/promises'
import { parse, type Reference } from '../../../../contract/expression/parse.ts'
import { print } from '../../../../contract/expression/print.ts'
import type { Item, Parameter, Scene } from '../../../../contract/picture/scene.ts'
import { expressionsOf } from '../../../../contract/picture/sceneReferences.ts'

export type Named = { Id: number; ParaName: string; DeviceId: number; DeviceName: string; ModelId: number | null }

/** Expressions that are parsed and printed without a break: some milliseconds. */
const textsPerSlice = 200

const withTexts = (item: Item, texts: readonly { field: string; text: string }[], rename: (reference: Reference) => Reference): Item => {
  const next = structuredClone(item)
  for (const { field, text } of texts) {
    const { tree } = parse(text)
    if (!tree) continue
    const path = field.split('.')
    const last = path.pop()!
    const place = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], next)
    ;(place as Record<string, string>)[last] = print(tree, rename)
  }
  return next
}

/** The scene with replaced references in all expressions. Other calls run between slices of a large scene. */
export const renamed = async (scene: Scene, rename: (reference: Reference) => Reference): Promise<Scene> => {
  const items: Item[] = []
  let texts = 0
  for (const item of scene.items) {
    const own = expressionsOf(item).filter(({ text }) => /[#{]/.test(text))
    items.push(own.length ? withTexts(item, own, rename) : item)
    texts += own.length
    if (texts < textsPerSlice) continue
    texts = 0
    await setImmediate()
  }
  return { ...scene, items }
}

/** A parameter name without braces, dots and number signs. */
const plain = (name: string) =>
  name
    .replace(/[{}.#]/g, ' ')
    .trim()
    .slice(0, 40) || 'Device'

/**
 * A scene that refers to points through devices, `{Pump 1.Speed}` instead of `#12`, so that another picture can use other devices.
 * `open`: its parameters have no device yet. Excludes points with braces in their names, and points that are not in `points`.
 */
export const namedByDevice = async (scene: Scene, points: readonly Named[], { open = false } = {}): Promise<Scene> => {
  const taken = new Set(scene.parameters?.map(({ name }) => name))
  const parameters = new Map<number, Parameter>()
  const parameterOf = ({ DeviceId, DeviceName, ModelId }: Named) => {
    const held = parameters.get(DeviceId)
    if (held) return held.name
    let name = plain(DeviceName)
    for (let n = 2; taken.has(name); n++) name = `${plain(DeviceName)} ${n}`
    taken.add(name)
    parameters.set(DeviceId, { name, type: 'device', ...(open ? {} : { value: DeviceId }), ...(ModelId ? { model: ModelId } : {}) })
    return name
  }
  const byId = new Map(points.map((point) => [point.Id, point]))
  const named = await renamed(scene, (reference) => {
    const point = 'id' in reference ? byId.get(reference.id) : undefined
    return point && !/[{}]/.test(point.ParaName) ? { name: `${parameterOf(point)}.${point.ParaName}` } : reference
  })
  return { ...named, parameters: [...(scene.parameters ?? []), ...parameters.values()] }
}
